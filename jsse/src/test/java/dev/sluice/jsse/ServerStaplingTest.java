package dev.sluice.jsse;

import static dev.sluice.jsse.ProviderContexts.client;
import static dev.sluice.jsse.ProviderContexts.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.jsse.EngineConversation.Memory;
import dev.sluice.jsse.ProviderContexts.Tls;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.OcspResponder;
import dev.sluice.testkit.TestCertificates;
import java.net.URI;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** OCSP responses that servers fetch from {@code openssl ocsp}, and staple for clients of both providers. */
class ServerStaplingTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final String ENABLED = "jdk.tls.server.enableStatusRequestExtension";
    private static final String RESPONDER = "jdk.tls.stapling.responderURI";
    private static final String OVERRIDE = "jdk.tls.stapling.responderOverride";
    private static final String TIMEOUT = "jdk.tls.stapling.responseTimeout";

    /** The shortest response there is (RFC 6960 section 4.2.1). */
    private static final byte[] TRY_LATER = {0x30, 0x03, 0x0A, 0x01, 0x03};

    private final int port = FreePort.onLoopback();
    private final Credential certificate = CERTIFICATES.issue(
            CertificateRequest.named("stapled-" + port).viaIntermediate().askingAt("http://127.0.0.1:" + port + "/"));

    @BeforeEach
    void enable() {
        System.setProperty(ENABLED, "true");
    }

    @AfterEach
    void reset() {
        for (String each : List.of(ENABLED, RESPONDER, OVERRIDE, TIMEOUT)) {
            System.clearProperty(each);
        }
    }

    static Stream<Arguments> clients() {
        return Stream.of(Tls.values())
                .flatMap(tls -> Stream.of("TLSv1.3", "TLSv1.2").map(protocol -> Arguments.of(tls, protocol)));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void staplesWhatTheResponderAnswers(Tls from, String protocol) throws Exception {
        try (OcspResponder _ = OcspResponder.start(
                CERTIFICATES.intermediateAuthority(), CERTIFICATES.ocspSigner(true), port, certificate)) {
            SSLContext server = Tls.SLUICE.context(certificate);
            List<byte[]> responses = responsesOf(from, protocol, server);

            assertThat(responses).hasSize(1);
            assertIsGood(responses.getFirst());
        }
    }

    @Test
    void asksOnceForManyHandshakes() throws Exception {
        int front = FreePort.onLoopback();
        System.setProperty(RESPONDER, "http://127.0.0.1:" + front + "/");
        System.setProperty(OVERRIDE, "true");
        try (OcspResponder responder = OcspResponder.start(
                        CERTIFICATES.intermediateAuthority(), CERTIFICATES.ocspSigner(true), port, certificate);
                CountingResponder counting = CountingResponder.before(front, responder.url())) {
            SSLContext server = Tls.SLUICE.context(certificate);
            byte[] first = responsesOf(Tls.JDK, "TLSv1.3", server).getFirst();
            for (int i = 0; i < 5; i++) {
                assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", server)).containsExactly(first);
            }
            assertThat(counting.asked()).isEqualTo(1);
        }
    }

    @Test
    void asksNobodyUnlessEnabled() throws Exception {
        System.clearProperty(ENABLED);
        try (CountingResponder counting = CountingResponder.answering(port, TRY_LATER)) {
            assertThat(responsesOf(Tls.JDK, "TLSv1.3", Tls.SLUICE.context(certificate)))
                    .isEmpty();
            assertThat(counting.asked()).isZero();
        }
    }

    static Stream<byte[]> invalid() {
        return Stream.of(TRY_LATER, new byte[0], new byte[] {0x30}, new byte[70_000]);
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void goesOnWithoutAStapleWhenTheAnswerIsInvalid(byte[] answer) throws Exception {
        try (CountingResponder responder = CountingResponder.answering(port, answer)) {
            SSLContext server = Tls.SLUICE.context(certificate);
            for (int i = 0; i < 3; i++) {
                assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", server)).isEmpty();
            }
            assertThat(responder.asked()).isEqualTo(1); // none asks again at once
        }
    }

    @Test
    void staplesNoAnswerThatAnotherAuthoritySigned() throws Exception {
        try (OcspResponder _ = OcspResponder.start(
                CERTIFICATES.intermediateAuthority(), CERTIFICATES.ocspSigner(false), port, certificate)) {
            assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", Tls.SLUICE.context(certificate)))
                    .isEmpty();
        }
    }

    @Test
    void goesOnWithoutAStapleWhenNobodyAnswers() throws SSLException {
        assertThat(responsesOf(Tls.JDK, "TLSv1.2", Tls.SLUICE.context(certificate)))
                .isEmpty();
    }

    @Test
    void waitsNoLongerThanTheTimeout() throws Exception {
        System.setProperty(TIMEOUT, "100");
        try (CountingResponder responder = CountingResponder.answering(port, null)) {
            SSLContext server = Tls.SLUICE.context(certificate);
            for (int i = 0; i < 3; i++) {
                assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", server)).isEmpty();
            }
            assertThat(responder.asked()).isEqualTo(1);
        }
    }

    /** The client decides among the certificates, when the responses of all are there. */
    @ParameterizedTest
    @MethodSource("clients")
    void staplesToTheCertificateThatIsChosen(Tls from, String protocol) throws Exception {
        Credential rsa = CERTIFICATES.issue(CertificateRequest.named("stapled-rsa-" + port)
                .with(CertificateRequest.KeyAlgorithm.RSA_2048)
                .viaIntermediate()
                .askingAt("http://127.0.0.1:" + port + "/"));
        try (OcspResponder _ = OcspResponder.start(
                CERTIFICATES.intermediateAuthority(), CERTIFICATES.ocspSigner(true), port, rsa, certificate)) {
            SSLContext server = Tls.SLUICE.context(
                    ProviderContexts.keyManagers(List.of(certificate, rsa)),
                    ProviderContexts.trustManagers(CERTIFICATES.rootCertificate()));
            assertIsGood(responsesOf(from, protocol, server).getFirst());
        }
    }

    @Test
    void asksTheConfiguredResponderAsThePropertiesSay() throws Exception {
        try (OcspResponder _ = OcspResponder.start(
                CERTIFICATES.intermediateAuthority(), CERTIFICATES.ocspSigner(true), port, certificate)) {
            System.setProperty(RESPONDER, "http://127.0.0.1:" + FreePort.onLoopback() + "/");
            assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", Tls.SLUICE.context(certificate)))
                    .hasSize(1);
            System.setProperty(OVERRIDE, "true");
            assertThat(responsesOf(Tls.SLUICE, "TLSv1.3", Tls.SLUICE.context(certificate)))
                    .isEmpty();
        }
    }

    private static List<byte[]> responsesOf(Tls from, String protocol, SSLContext server) throws SSLException {
        SSLEngine client = client(from.context((Credential) null));
        client.setEnabledProtocols(new String[] {protocol});
        try (EngineConversation talk = new EngineConversation(client, server(server), Memory.HEAP)) {
            talk.handshake();
            talk.sendToServer(new byte[] {1});
            return ((ExtendedSSLSession) client.getSession()).getStatusResponses();
        }
    }

    /** Has the JDK check a response, without asking anybody. */
    private void assertIsGood(byte[] response) throws Exception {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(
                EnumSet.of(PKIXRevocationChecker.Option.ONLY_END_ENTITY, PKIXRevocationChecker.Option.NO_FALLBACK));
        checker.setOcspResponses(Map.of(certificate.certificate(), response));
        checker.setOcspResponder(URI.create("http://127.0.0.1:1/"));
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(CERTIFICATES.rootCertificate(), null)));
        parameters.addCertPathChecker(checker);
        CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(new ArrayList<>(certificate.chain()));
        assertThat(validator.validate(path, parameters)).isNotNull();
        assertThat(checker.getSoftFailExceptions()).isEmpty();
    }
}
