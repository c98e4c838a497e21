package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of versions, cipher suites, groups, signatures and certificates, and nothing in common. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineNegotiationTest {
    private static final TestCertificates AUTHORITY = JsseContexts.AUTHORITY;
    private static final String[] SUITES_13 = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };
    private static final String[] SUITES_12 = {
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
    };

    private final ProviderPair pair;

    EngineNegotiationTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void eachCipherSuiteWorks() throws SSLException {
        for (String suite : suites()) {
            EngineLink link = pair.link();
            link.client().engine().setEnabledCipherSuites(new String[] {suite});
            link.handshake().assertCarriesData();
            assertThat(suiteOf(link)).isEqualTo(suite);
        }
    }

    private String[] suites() {
        return pair.isTls13() ? SUITES_13 : SUITES_12;
    }

    private static String suiteOf(EngineLink link) {
        SSLSession session = link.client().engine().getSession();
        assertThat(link.server().engine().getSession().getCipherSuite()).isEqualTo(session.getCipherSuite());
        return session.getCipherSuite();
    }

    @Test
    void theServerMayRestrictCipherSuites() {
        String suite = suites()[1];
        EngineLink link = pair.link();
        link.server().engine().setEnabledCipherSuites(new String[] {suite});
        assertThat(suiteOf(link.handshake())).isEqualTo(suite);
    }

    @Test
    void theOrderOfTheServerCounts() {
        String[] reversed = {suites()[1], suites()[0]};
        EngineLink link = pair.link();
        link.client().engine().setEnabledCipherSuites(new String[] {suites()[0], suites()[1]});
        link.server().engine().setEnabledCipherSuites(reversed);
        assertThat(suiteOf(link.handshake())).isEqualTo(suites()[1]);
    }

    @Test
    void theOrderOfTheClientCountsWhereTheServerHasNone() {
        EngineLink link = pair.link();
        link.client().engine().setEnabledCipherSuites(new String[] {suites()[0], suites()[1]});
        link.server().engine().setEnabledCipherSuites(new String[] {suites()[1], suites()[0]});
        change(link.server(), parameters -> parameters.setUseCipherSuitesOrder(false));
        assertThat(suiteOf(link.handshake())).isEqualTo(suites()[0]);
    }

    private static void change(EnginePeer peer, Consumer<SSLParameters> change) {
        SSLEngine engine = peer.engine();
        SSLParameters parameters = engine.getSSLParameters();
        change.accept(parameters);
        engine.setSSLParameters(parameters);
    }

    @Test
    void noCommonCipherSuiteFails() {
        EngineLink link = pair.link();
        link.client().engine().setEnabledCipherSuites(new String[] {suites()[0]});
        link.server().engine().setEnabledCipherSuites(new String[] {suites()[1]});
        assertRejected(link.attempt(), "handshake_failure");
    }

    private static void assertRejected(EngineLink link, String alert) {
        assertThat(EngineLink.failureOf(link.server()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining(alert);
        assertThat(EngineLink.failureOf(link.client()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining(alert);
        assertBothFail(link);
    }

    /** Asserts that one end has sent the alert that the other has received, and that both are done. */
    private static void assertBothFail(EngineLink link) {
        assertThat(link.client().alert()).isEqualTo(link.server().alert());
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(peer.engine().isInboundDone()).isTrue();
            assertThat(peer.engine().isOutboundDone()).isTrue();
        }
    }

    @Test
    void noCommonVersionFails() {
        EngineLink link = pair.link();
        String other = pair.isTls13() ? "TLSv1.2" : "TLSv1.3";
        link.server().engine().setEnabledProtocols(new String[] {other});
        assertRejected(link.attempt(), "protocol_version");
    }

    @Test
    void theHighestCommonVersionIsChosen() {
        EngineLink link = pair.link();
        link.server().engine().setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
        link.handshake();
        assertThat(link.server().engine().getSession().getProtocol())
                .isEqualTo(pair.version().protocol());
        EngineLink both = pair.link();
        for (EnginePeer peer : List.of(both.client(), both.server())) {
            peer.engine().setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
        }
        assertThat(both.handshake().client().engine().getSession().getProtocol())
                .isEqualTo("TLSv1.3");
    }

    /** TLS 1.3 is enabled, but none of its cipher suites is. */
    @Test
    void suitesOfTls12MeanTls12() {
        EngineLink link = pair.link();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            peer.engine().setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
        }
        link.client().engine().setEnabledCipherSuites(SUITES_12);
        link.handshake();
        assertThat(link.client().engine().getSession().getProtocol()).isEqualTo("TLSv1.2");
    }

    @Test
    void suitesOfTheWrongVersionFail() {
        SSLEngine client = pair.link().client().engine();
        client.setEnabledCipherSuites(pair.isTls13() ? SUITES_12 : SUITES_13);
        EnginePeer peer = new EnginePeer(client);
        String seen = "none";
        try {
            client.beginHandshake();
            peer.wrap();
        } catch (SSLHandshakeException e) {
            seen = "SSLHandshakeException";
        } catch (SSLException e) {
            seen = "SSLException";
        }
        assertThat(seen).isEqualTo("SSLHandshakeException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x25519", "secp256r1", "secp384r1", "secp521r1", "x448"})
    void eachNamedGroupWorks(String group) throws SSLException {
        EngineLink link = rsaLink();
        change(link.client(), parameters -> parameters.setNamedGroups(new String[] {group}));
        link.handshake().assertCarriesData();
    }

    /** Under TLS 1.2 the groups of a client also limit the curves of certificates (RFC 8422 section 4). */
    private EngineLink rsaLink() {
        EngineLink link = pair.link(
                JsseContexts.client(pair.client()), JsseContexts.newServer(pair.server(), AUTHORITY.serverRsa()));
        if (!pair.isTls13()) {
            link.client().engine().setEnabledCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
        }
        return link;
    }

    /** Under TLS 1.3 the server has to ask for another key share: a HelloRetryRequest. */
    @Test
    void theServerMayRestrictGroups() throws SSLException {
        EngineLink link = rsaLink();
        change(link.client(), parameters -> parameters.setNamedGroups(new String[] {"secp521r1", "x25519"}));
        change(link.server(), parameters -> parameters.setNamedGroups(new String[] {"x25519"}));
        link.handshake().assertCarriesData();
    }

    @Test
    void noCommonGroupFails() {
        EngineLink link = rsaLink();
        change(link.client(), parameters -> parameters.setNamedGroups(new String[] {"secp384r1"}));
        change(link.server(), parameters -> parameters.setNamedGroups(new String[] {"x25519"}));
        assertBothFail(link.attempt());
        if (pair.isTls13()) {
            Difference.NO_COMMON_GROUP.check(pair.server(), link.server().alert());
        } else {
            assertThat(link.server().alert()).isEqualTo("handshake_failure");
        }
    }

    @Test
    void theClientMayRestrictSignatures() throws SSLException {
        EngineLink link = pair.link();
        change(link.client(), parameters -> parameters.setSignatureSchemes(new String[] {"ecdsa_secp256r1_sha256"}));
        link.handshake().assertCarriesData();
    }

    @Test
    void noCommonSignatureFails() {
        EngineLink link = pair.link();
        change(link.client(), parameters -> parameters.setSignatureSchemes(new String[] {"rsa_pss_rsae_sha256"}));
        link.attempt();
        EngineLink.failureOf(link.client());
        EngineLink.failureOf(link.server());
        if (pair.isTls13()) {
            assertThat(link.server().alert()).isEqualTo("handshake_failure");
        }
    }

    @Test
    void keyManagersSeeThePeersSignatures() {
        List<String> seen = new ArrayList<>();
        OneKeyManager keys = new OneKeyManager(JsseContexts.keyManager(AUTHORITY.server())) {
            @Override
            public @Nullable String chooseEngineServerAlias(
                    String keyType, Principal @Nullable [] accepted, @Nullable SSLEngine engine) {
                ExtendedSSLSession session =
                        (ExtendedSSLSession) Objects.requireNonNull(engine).getHandshakeSession();
                seen.addAll(List.of(session.getPeerSupportedSignatureAlgorithms()));
                return super.chooseEngineServerAlias(keyType, accepted, engine);
            }
        };
        SSLContext server = pair.server().context(new KeyManager[] {keys}, JsseContexts.trust());
        pair.link(JsseContexts.client(pair.client()), server).handshake();
        assertThat(seen).contains("SHA256withECDSA");
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void eachKindOfCertificateWorks(KeyAlgorithm algorithm) throws SSLException {
        Credential credential =
                AUTHORITY.issue(CertificateRequest.named("any-" + algorithm).with(algorithm));
        EngineLink link =
                pair.link(JsseContexts.client(pair.client()), JsseContexts.newServer(pair.server(), credential));
        link.handshake().assertCarriesData();
        assertThat(link.client().engine().getSession().getPeerCertificates()[0]).isEqualTo(credential.certificate());
    }

    /** The signatures that the client allows decide between the certificates. */
    @Test
    void theServerChoosesTheCertificateThatFits() {
        Credential elliptic = AUTHORITY.server();
        SSLContext server = JsseContexts.newServer(pair.server(), AUTHORITY.serverRsa(), elliptic);
        EngineLink link = pair.link(JsseContexts.client(pair.client()), server);
        change(link.client(), parameters -> parameters.setSignatureSchemes(new String[] {"ecdsa_secp256r1_sha256"}));
        link.handshake();
        assertThat(link.server().engine().getSession().getLocalCertificates()).containsExactly(elliptic.certificate());
    }

    @Test
    void constraintsMayForbidTheKeyOfACertificate() {
        EngineLink link = pair.link();
        change(
                link.client(),
                parameters -> parameters.setAlgorithmConstraints(
                        new Forbidding((algorithm, key) -> key != null && "EC".equals(key.getAlgorithm()))));
        link.attempt();
        assertThat(EngineLink.failureOf(link.client())).isInstanceOf(SSLHandshakeException.class);
        EngineLink.failureOf(link.server());
    }

    @Test
    void constraintsMayForbidCipherSuites() {
        EngineLink link = pair.link();
        change(
                link.client(),
                parameters -> parameters.setAlgorithmConstraints(
                        new Forbidding((algorithm, key) -> algorithm.equals(suites()[0]))));
        change(link.server(), parameters -> parameters.setUseCipherSuitesOrder(true));
        link.server().engine().setEnabledCipherSuites(new String[] {suites()[0], suites()[1]});
        assertThat(suiteOf(link.handshake())).isEqualTo(suites()[1]);
    }

    @Test
    void constraintsMayForbidVersions() {
        EngineLink link = pair.link();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            peer.engine().setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
        }
        change(
                link.client(),
                parameters -> parameters.setAlgorithmConstraints(
                        new Forbidding((algorithm, key) -> algorithm.equals("TLSv1.3"))));
        link.handshake();
        assertThat(link.client().engine().getSession().getProtocol()).isEqualTo("TLSv1.2");
    }

    /** Constraints that forbid what a predicate holds for. */
    private record Forbidding(BiPredicate<String, @Nullable Key> forbidden) implements AlgorithmConstraints {
        @Override
        public boolean permits(
                Set<CryptoPrimitive> primitives, String algorithm, @Nullable AlgorithmParameters parameters) {
            return !forbidden.test(algorithm, null);
        }

        @Override
        public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
            return !forbidden.test("", key);
        }

        @Override
        public boolean permits(
                Set<CryptoPrimitive> primitives, String algorithm, Key key, @Nullable AlgorithmParameters parameters) {
            return !forbidden.test(algorithm, key);
        }
    }

    @Test
    void packetSizeMayBeLimited() throws SSLException {
        EngineLink link = pair.link();
        change(link.client(), parameters -> parameters.setMaximumPacketSize(4096));
        link.handshake();
        byte[] data = new byte[10_000];
        link.client().send(data);
        byte[] wire = link.client().takeOutgoing();
        assertThat(TlsRecords.split(wire)).allMatch(each -> each.length <= 4096);
        link.server().receive(wire);
        link.settle();
        assertThat(link.server().takePlain()).isEqualTo(data);
    }
}
