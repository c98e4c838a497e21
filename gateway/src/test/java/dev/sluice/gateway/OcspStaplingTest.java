package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationFacts;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.ocsp.ResponderDouble;
import dev.sluice.gateway.ocsp.Stapling;
import dev.sluice.gateway.ocsp.TestAnswers;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.certificate.StapleSlot;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the OCSP responses that clients of a whole gateway receive, whatever the responder does. */
class OcspStaplingTest extends GatewayConformance {
    private final Credential ecdsa = TestCertificates.shared()
            .issue(CertificateRequest.named("ocsp-ecdsa").viaIntermediate());
    private final Credential rsa = TestCertificates.shared()
            .issue(CertificateRequest.named("ocsp-rsa")
                    .with(KeyAlgorithm.RSA_2048)
                    .viaIntermediate());

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theResponseIsStapledOnceItIsThere(String version) throws Exception {
        Gateway gateway = fixture.start(serving(answering(), ecdsa));
        awaitStapled(gateway, 1);

        assertThat(stapled(gateway, TlsClient.plain().speaking(version))).containsExactly(serial(ecdsa));
        Stapling staples = gateway.stapling();
        assertThat(staples.certificates()).isEqualTo(1);
        assertThat(staples.fetched()).isEqualTo(1);
        assertThat(staples.given()).isEqualTo(1);
        assertThat(staples.failed()).isZero();
    }

    /** Sends a first flight that is larger than an engine's ring. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aLongResponseArrivesWhole(String version) throws Exception {
        ResponderDouble responder =
                fixture.closing(ResponderDouble.behaving(ResponderDouble.answering(request -> longest(request))));
        Gateway gateway = fixture.start(serving(responder, rsa));
        awaitStapled(gateway, 1);

        assertThat(stapled(gateway, TlsClient.plain().speaking(version))).containsExactly(serial(rsa));
    }

    private static byte[] longest(byte[] request) throws Exception {
        byte[] longest = {};
        for (int signers = 1; ; signers++) {
            byte[] longer = TestAnswers.good(Instant.now()).sending(signers).to(request);
            if (longer.length > StapleSlot.MAX_BYTES) {
                return longest;
            }
            longest = longer;
        }
    }

    @Test
    void eachKindOfKeyHasItsOwn() throws Exception {
        Gateway gateway = fixture.start(serving(answering(), ecdsa, rsa));
        awaitStapled(gateway, 2);

        TlsClient tls12 = TlsClient.plain().speaking("TLSv1.2");
        assertThat(stapled(gateway, tls12.suites("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")))
                .containsExactly(serial(ecdsa));
        assertThat(stapled(gateway, tls12.suites("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")))
                .containsExactly(serial(rsa));
    }

    @Test
    void aResponderThatAnswersLateHoldsUpNoHandshakeAndNoStart() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        ResponderDouble responder = fixture.closing(ResponderDouble.behaving(ResponderDouble.answering(request -> {
            late.await();
            return TestAnswers.good(Instant.now()).to(request);
        })));
        Gateway gateway = fixture.start(serving(responder, ecdsa));

        assertThat(stapled(gateway, TlsClient.plain())).isEmpty();
        late.countDown();
        awaitStapled(gateway, 1);
        assertThat(stapled(gateway, TlsClient.plain())).containsExactly(serial(ecdsa));
    }

    @Test
    void aReloadKeepsTheResponseWithoutAskingAgain() throws Exception {
        ResponderDouble responder = answering();
        GatewayConfig config = serving(responder, ecdsa);
        Gateway gateway = fixture.start(config);
        awaitStapled(gateway, 1);
        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));

        gateway.reload(config);
        assertThat(stapled(gateway, TlsClient.plain())).containsExactly(serial(ecdsa));
        assertThat(responder.requests()).isEqualTo(1);

        gateway.reload(config.withOcsp(null));
        assertThat(stapled(gateway, TlsClient.plain())).isEmpty();
        assertThat(gateway.stapling().certificates()).isZero();
    }

    @Test
    void withoutAnAnswerHandshakesGoOn() throws Exception {
        ResponderDouble responder =
                fixture.closing(ResponderDouble.behaving(ResponderDouble.refusing("500 Internal Server Error")));
        Gateway gateway = fixture.start(serving(responder, ecdsa));
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> gateway.stapling().failed() == 1,
                () -> "nothing failed: " + gateway.stapling().standings());

        assertThat(stapled(gateway, TlsClient.plain())).isEmpty();
        assertThat(fixture.lines()).anyMatch(line -> line.contains("HTTP status 500"));
    }

    private ResponderDouble answering() {
        return fixture.closing(ResponderDouble.behaving(ResponderDouble.answering(
                request -> TestAnswers.good(Instant.now()).to(request))));
    }

    private GatewayConfig serving(ResponderDouble responder, Credential... credentials) throws IOException {
        List<KeyPairFiles> pairs = Arrays.stream(credentials)
                .map(credential -> new KeyPairFiles(
                        credential.chainFile(),
                        credential.keyFile(),
                        credential.key().getAlgorithm(),
                        Instant.MIN,
                        Instant.MAX,
                        RevocationFacts.NONE))
                .toList();
        CertificateConfig certificate = new CertificateConfig(
                "main",
                pairs,
                List.of(new ServerNamePattern("localhost")),
                new CertificateOcsp(true, responder.uri(), null));
        return fixture.config(listener(
                List.of(certificate),
                List.of(),
                TlsOptions.DEFAULT,
                route(backend(
                        "echo",
                        ProxyProtocol.NONE,
                        fixture.closing(TestBackend.echoing()).address()))));
    }

    private static void awaitStapled(Gateway gateway, int certificates) {
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> gateway.stapling().stapled() == certificates,
                () -> "not stapled: " + gateway.stapling().standings());
    }

    /** The serial numbers of the certificates that responses are stapled for. */
    private static List<BigInteger> stapled(Gateway gateway, TlsClient client) throws Exception {
        try (SSLSocket socket = client.connect(gateway.addresses().getFirst())) {
            return ((ExtendedSSLSession) socket.getSession())
                    .getStatusResponses().stream()
                            .filter(response -> response.length > 0)
                            .map(OcspStaplingTest::serial)
                            .toList();
        }
    }

    private static BigInteger serial(byte[] response) {
        try {
            BasicOCSPResp answer = (BasicOCSPResp) new OCSPResp(response).getResponseObject();
            return answer.getResponses()[0].getCertID().getSerialNumber();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static BigInteger serial(Credential credential) {
        return credential.certificate().getSerialNumber();
    }
}
