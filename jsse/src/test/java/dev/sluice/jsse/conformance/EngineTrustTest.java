package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trust of the client: endpoint identification, failures with their alerts, and what trust managers see. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineTrustTest {
    private static final TestCertificates AUTHORITY = JsseContexts.AUTHORITY;

    private final ProviderPair pair;

    EngineTrustTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void serverIsKnownToTheClient() throws SSLException {
        Credential server = AUTHORITY.serverWithIntermediate();
        EngineLink link = pair.link(JsseContexts.client(pair.client()), JsseContexts.newServer(pair.server(), server));
        link.handshake();
        SSLSession atClient = link.client().engine().getSession();
        assertThat(atClient.getPeerCertificates())
                .containsExactly(server.chain().toArray(Certificate[]::new));
        assertThat(atClient.getPeerPrincipal()).isEqualTo(server.certificate().getSubjectX500Principal());
        SSLSession atServer = link.server().engine().getSession();
        assertThat(atServer.getLocalCertificates())
                .containsExactly(server.chain().toArray(Certificate[]::new));
        assertThat(atServer.getLocalPrincipal()).isEqualTo(server.certificate().getSubjectX500Principal());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "::1"})
    void rightHostsPass(String host) throws SSLException {
        identified(host).handshake().assertCarriesData();
    }

    private EngineLink identified(String host) {
        return identify(
                pair.link(JsseContexts.newClient(pair.client()), JsseContexts.server(pair.server()), host, 443));
    }

    private static EngineLink identify(EngineLink link) {
        SSLParameters parameters = link.client().engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        link.client().engine().setSSLParameters(parameters);
        return link;
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrong.example", "127.0.0.2", "localhost.example"})
    void wrongHostsFail(String host) {
        EngineLink link = identified(host).attempt();
        assertUntrusted(link);
        assertAlert(link, "certificate_unknown");
    }

    private static void assertUntrusted(EngineLink link) {
        assertThat(EngineLink.failureOf(link.client()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasCauseInstanceOf(CertificateException.class);
        assertThat(link.client().engine().isInboundDone()).isTrue();
        assertThat(link.client().engine().isOutboundDone()).isTrue();
        EngineLink.failureOf(link.server());
    }

    private void assertAlert(EngineLink link, String alert) {
        assertThat(EngineLink.failureOf(link.client())).hasMessageContaining(alert);
        SSLException seen = EngineLink.failureOf(link.server());
        String text = seen + " " + seen.getCause();
        boolean plain = text.contains("plaintext alert");
        if (pair.isTls13() && pair.server() == JsseProvider.SUN) {
            Difference.ALERT_OF_A_DISTRUSTFUL_CLIENT.check(pair.client(), plain ? "plain" : "protected");
        }
        assertThat(seen).isInstanceOf(plain ? SSLException.class : SSLHandshakeException.class);
        assertThat(text).contains(alert);
    }

    @Test
    void hostsAreNotIdentifiedUnlessAsked() throws SSLException {
        pair.link(JsseContexts.newClient(pair.client()), JsseContexts.server(pair.server()), "wrong.example", 443)
                .handshake()
                .assertCarriesData();
    }

    @Test
    void unknownAuthoritiesFail() {
        SSLContext stranger = pair.client().context(new KeyManager[0], JsseContexts.trust(new TestCertificates()));
        EngineLink link =
                pair.link(stranger, JsseContexts.server(pair.server())).attempt();
        assertUntrusted(link);
        assertAlert(link, "certificate_unknown");
    }

    @Test
    void expiredCertificatesFail() {
        EngineLink link = pair.link(
                        JsseContexts.client(pair.client()),
                        JsseContexts.newServer(pair.server(), AUTHORITY.expiredServer()))
                .attempt();
        assertUntrusted(link);
        assertAlert(link, "certificate_expired");
    }

    @Test
    void theExceptionOfATrustManagerIsTheCause() {
        CertificateException refusal = new CertificateException("refused by the case");
        EngineLink link = pair.link(
                        JsseContexts.newClient(pair.client(), new WatchingTrustManager() {
                            @Override
                            void onCheck(SSLEngine engine) throws CertificateException {
                                throw refusal;
                            }
                        }),
                        JsseContexts.server(pair.server()))
                .attempt();
        assertUntrusted(link);
        assertThat(EngineLink.failureOf(link.client())).hasCause(refusal);
        assertAlert(link, "certificate_unknown");
    }

    @Test
    void anUncheckedExceptionOfATrustManagerEndsTheHandshake() {
        EngineLink link = pair.link(
                JsseContexts.newClient(pair.client(), new WatchingTrustManager() {
                    @Override
                    void onCheck(SSLEngine engine) {
                        throw new IllegalStateException("of the case");
                    }
                }),
                JsseContexts.server(pair.server()));
        assertThat(FailureKinds.ofAttempt(link)).isEqualTo("SSLException");
    }

    @Test
    void trustManagersSeeTheHandshake() {
        List<String> seen = new ArrayList<>();
        WatchingTrustManager trust = new WatchingTrustManager() {
            @Override
            void onCheck(SSLEngine engine) {
                ExtendedSSLSession session = (ExtendedSSLSession) engine.getHandshakeSession();
                seen.add(session.getProtocol());
                seen.add(session.getCipherSuite().substring(0, 4));
                seen.add(session.getPeerHost() + ":" + session.getPeerPort());
                assertThat(session.getRequestedServerNames()).hasSize(1);
                assertThat(session.getLocalSupportedSignatureAlgorithms()).isNotEmpty();
                assertThat(session.getStatusResponses()).isEmpty();
                assertThat(engine.getSession().getCipherSuite()).isEqualTo("SSL_NULL_WITH_NULL_NULL");
            }
        };
        pair.link(
                        JsseContexts.newClient(pair.client(), trust),
                        JsseContexts.server(pair.server()),
                        "host.example",
                        8443)
                .handshake();
        assertThat(seen).containsExactly(pair.version().protocol(), "TLS_", "host.example:8443");
        assertThat(trust.authTypes()).containsExactly(pair.isTls13() ? "UNKNOWN" : "ECDHE_ECDSA");
    }

    @Test
    void trustManagersGetTheCertificatesByArgumentAlone() {
        List<String> seen = new ArrayList<>();
        WatchingTrustManager trust = new WatchingTrustManager() {
            @Override
            void onCheck(SSLEngine engine) {
                try {
                    seen.add(engine.getHandshakeSession().getPeerPrincipal().getName());
                } catch (SSLPeerUnverifiedException e) {
                    seen.add("SSLPeerUnverifiedException");
                }
            }
        };
        pair.link(JsseContexts.newClient(pair.client(), trust), JsseContexts.server(pair.server()))
                .handshake();
        assertThat(seen).containsExactly("SSLPeerUnverifiedException");
    }

    /** A manager of the old interface knows no engine: the provider has to identify the host. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void plainTrustManagersAreHelped(boolean isRightHost) {
        SSLContext client = JsseContexts.newClient(pair.client(), new PlainTrustManager());
        EngineLink link = identify(pair.link(
                        client, JsseContexts.server(pair.server()), isRightHost ? "localhost" : "wrong.example", 443))
                .attempt();
        if (isRightHost) {
            link.assertSucceeded();
        } else {
            assertUntrusted(link);
        }
    }

    /** A trust manager that trusts everybody, by the interface of JSSE 1.0. */
    private static final class PlainTrustManager implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void noTrustManagerMeansNoTrust() {
        SSLContext client = pair.client().context(new KeyManager[0], new TrustManager[0]);
        EngineLink link = pair.link(client, JsseContexts.server(pair.server())).attempt();
        EngineLink.failureOf(link.client());
        EngineLink.failureOf(link.server());
    }

    @Test
    void defaultTrustIsThePlatforms() {
        SSLContext client = pair.client().context(null, null);
        EngineLink link = pair.link(client, JsseContexts.server(pair.server())).attempt();
        assertUntrusted(link);
        assertAlert(link, "certificate_unknown");
    }

    @Test
    void theAlgorithmMayBeLdaps() {
        EngineLink link = pair.link(
                JsseContexts.newClient(pair.client()), JsseContexts.server(pair.server()), "wrong.example", 636);
        SSLParameters parameters = link.client().engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("LDAPS");
        link.client().engine().setSSLParameters(parameters);
        assertUntrusted(link.attempt());
    }
}
