package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Client authentication: needed, wanted, not asked for; right, wrong and no certificates. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineClientAuthTest {
    private static final TestCertificates AUTHORITY = JsseContexts.AUTHORITY;

    private final ProviderPair pair;

    EngineClientAuthTest(ProviderPair pair) {
        this.pair = pair;
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void eachKindOfKeyAuthenticates(KeyAlgorithm algorithm) throws SSLException {
        Credential client =
                AUTHORITY.issue(CertificateRequest.named("client-" + algorithm).with(algorithm));
        EngineLink link = link(client, engine -> engine.setNeedClientAuth(true)).handshake();
        assertAuthenticated(link, client);
        link.assertCarriesData();
    }

    private EngineLink link(Credential client, Consumer<SSLEngine> demand) {
        return link(JsseContexts.newClient(pair.client(), client), demand);
    }

    private EngineLink link(SSLContext client, Consumer<SSLEngine> demand) {
        EngineLink link = pair.link(client, JsseContexts.server(pair.server()));
        demand.accept(link.server().engine());
        return link;
    }

    private static void assertAuthenticated(EngineLink link, Credential client) throws SSLException {
        SSLSession atServer = link.server().engine().getSession();
        assertThat(atServer.getPeerCertificates())
                .containsExactly(client.chain().toArray(Certificate[]::new));
        assertThat(atServer.getPeerPrincipal()).isEqualTo(client.certificate().getSubjectX500Principal());
        SSLSession atClient = link.client().engine().getSession();
        assertThat(atClient.getLocalCertificates())
                .containsExactly(client.chain().toArray(Certificate[]::new));
        assertThat(atClient.getLocalPrincipal()).isEqualTo(client.certificate().getSubjectX500Principal());
    }

    @Test
    void chainsWithAnIntermediateAuthenticate() throws SSLException {
        Credential client =
                AUTHORITY.issue(CertificateRequest.named("client-chained").viaIntermediate());
        assertAuthenticated(
                link(client, engine -> engine.setNeedClientAuth(true)).handshake(), client);
    }

    @Test
    void wantedCertificatesAreUsed() throws SSLException {
        assertAuthenticated(
                link(AUTHORITY.client(), engine -> engine.setWantClientAuth(true))
                        .handshake(),
                AUTHORITY.client());
    }

    @Test
    void wantedCertificatesMayBeMissing() throws SSLException {
        EngineLink link = link(JsseContexts.client(pair.client()), engine -> engine.setWantClientAuth(true));
        link.handshake().assertCarriesData();
        assertAnonymous(link);
    }

    @Test
    void certificatesAreNotAskedForByDefault() throws SSLException {
        EngineLink link = link(AUTHORITY.client(), engine -> engine.setUseClientMode(false));
        link.handshake().assertCarriesData();
        assertAnonymous(link);
    }

    private static void assertAnonymous(EngineLink link) {
        SSLSession atServer = link.server().engine().getSession();
        assertThatExceptionOfType(SSLPeerUnverifiedException.class).isThrownBy(atServer::getPeerCertificates);
        assertThatExceptionOfType(SSLPeerUnverifiedException.class).isThrownBy(atServer::getPeerPrincipal);
        SSLSession atClient = link.client().engine().getSession();
        assertThat(atClient.getLocalCertificates()).isNull();
        assertThat(atClient.getLocalPrincipal()).isNull();
    }

    /** Under TLS 1.3 the client's handshake is complete before the server has seen its certificate. */
    @Test
    void neededCertificatesMayNotBeMissing() {
        EngineLink link = link(JsseContexts.client(pair.client()), engine -> engine.setNeedClientAuth(true));
        link.attempt();
        assertRejected(link, pair.isTls13() ? "certificate_required" : null);
    }

    private void assertRejected(EngineLink link, @Nullable String alert) {
        SSLException atServer = EngineLink.failureOf(link.server());
        SSLException atClient = EngineLink.failureOf(link.client());
        assertThat(link.server().engine().isInboundDone()).isTrue();
        assertThat(link.server().engine().isOutboundDone()).isTrue();
        assertThat(link.client().engine().isInboundDone()).isTrue();
        if (alert != null) {
            assertThat(atServer).hasMessageContaining(alert);
            assertThat(atClient).hasMessageContaining(alert);
        }
    }

    @Test
    void certificatesOfAnotherAuthorityAreRejected() {
        Credential stranger = new TestCertificates().client();
        // A key manager that ignores the authorities that the server names.
        SSLContext client = pair.client()
                .context(new KeyManager[] {new OneKeyManager(JsseContexts.keyManager(stranger))}, JsseContexts.trust());
        for (Consumer<SSLEngine> demand : List.<Consumer<SSLEngine>>of(
                engine -> engine.setNeedClientAuth(true), engine -> engine.setWantClientAuth(true))) {
            EngineLink link = link(client, demand);
            link.attempt();
            assertRejected(link, "certificate_unknown");
        }
    }

    @Test
    void expiredCertificatesAreRejected() {
        Credential expired =
                AUTHORITY.issue(CertificateRequest.named("client-expired").valid(-30, -1));
        EngineLink link = link(expired, engine -> engine.setNeedClientAuth(true));
        link.attempt();
        assertRejected(link, null);
    }

    @Test
    void keyManagersSeeTheAuthorities() {
        OneKeyManager keys = new OneKeyManager(JsseContexts.keyManager(AUTHORITY.client()));
        SSLContext client = pair.client().context(new KeyManager[] {keys}, JsseContexts.trust());
        link(client, engine -> engine.setNeedClientAuth(true)).handshake();
        assertThat(keys.issuers()).contains(AUTHORITY.rootCertificate().getSubjectX500Principal());
        assertThat(keys.keyTypes()).contains("EC");
    }

    @Test
    void trustManagersOfServersSeeTheHandshake() {
        List<Object> seen = new ArrayList<>();
        WatchingTrustManager trust = new WatchingTrustManager() {
            @Override
            void onCheck(SSLEngine engine) {
                SSLSession session = engine.getHandshakeSession();
                seen.add(session.getProtocol());
                seen.add(session.getLocalCertificates()[0]);
            }
        };
        SSLContext server = pair.server().context(JsseContexts.keys(AUTHORITY.server()), new TrustManager[] {trust});
        EngineLink link = pair.link(JsseContexts.newClient(pair.client(), AUTHORITY.client()), server);
        link.server().engine().setNeedClientAuth(true);
        link.handshake();
        assertThat(seen)
                .containsExactly(pair.version().protocol(), AUTHORITY.server().certificate());
        assertThat(trust.authTypes()).hasSize(1);
    }

    @Test
    void aKeyManagerMayDecline() {
        SSLContext client = pair.client()
                .context(
                        new KeyManager[] {
                            new OneKeyManager(JsseContexts.keyManager(AUTHORITY.client())) {
                                @Override
                                public @Nullable String chooseEngineClientAlias(
                                        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
                                    return null;
                                }
                            }
                        },
                        JsseContexts.trust());
        assertAnonymous(link(client, engine -> engine.setWantClientAuth(true)).handshake());
    }
}
