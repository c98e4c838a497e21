package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls in wrong states, and what an engine lets itself be configured to. */
@ParameterizedClass
@EnumSource(JsseProvider.class)
final class EngineStatesTest {
    private static final String SUITE = "TLS_AES_128_GCM_SHA256";

    private final JsseProvider provider;

    EngineStatesTest(JsseProvider provider) {
        this.provider = provider;
    }

    @Test
    void needsAModeForTheHandshake() {
        SSLEngine engine = engine();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(engine::beginHandshake);
    }

    @Test
    void needsAModeForWrap() {
        SSLEngine engine = engine();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> engine.wrap(ByteBuffer.allocate(1), ByteBuffer.allocate(20_000)));
    }

    @Test
    void needsAModeForUnwrap() {
        SSLEngine engine = engine();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> engine.unwrap(ByteBuffer.allocate(1), ByteBuffer.allocate(20_000)));
    }

    @Test
    void closesWithoutAMode() throws SSLException {
        SSLEngine engine = engine();
        engine.closeOutbound();
        engine.closeInbound();
        assertThat(engine.isOutboundDone()).isTrue();
        assertThat(engine.isInboundDone()).isTrue();
    }

    private SSLEngine engine() {
        return JsseContexts.client(provider).createSSLEngine();
    }

    @Test
    void modeChangesBeforeTheHandshake() throws SSLException {
        SSLEngine engine = engine();
        engine.setUseClientMode(false);
        assertThat(engine.getUseClientMode()).isFalse();
        engine.setUseClientMode(true);
        assertThat(engine.getUseClientMode()).isTrue();
        engine.beginHandshake();
        assertThat(new EnginePeer(engine).wrap().bytesProduced()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void modeIsFixedByTheHandshake(boolean isClient) throws SSLException {
        SSLEngine engine = engine();
        engine.setUseClientMode(isClient);
        engine.beginHandshake();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> engine.setUseClientMode(!isClient));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> engine.setUseClientMode(isClient));
        assertThat(engine.getUseClientMode()).isEqualTo(isClient);
    }

    @Test
    void contextMustBeInitialized() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS", provider.provider());
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(context::createSSLEngine);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> context.createSSLEngine("localhost", 443));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLS", "TLSv1.3", "TLSv1.2"})
    void contextsHaveTheirProtocols(String protocol) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance(protocol, provider.provider());
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        List<String> enabled = List.of(engine.getEnabledProtocols());
        assertThat(enabled).contains("TLSv1.2");
        assertThat(enabled.contains("TLSv1.3")).isEqualTo(!protocol.equals("TLSv1.2"));
        assertThat(enabled).doesNotContain("TLSv1", "TLSv1.1", "SSLv3");
    }

    @Test
    void rejectsUnknownCipherSuites() {
        SSLEngine engine = engine();
        for (String[] wrong : new String[][] {{"TLS_NO_SUCH_SUITE"}, {SUITE, ""}, {""}}) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> engine.setEnabledCipherSuites(wrong));
        }
        assertThat(engine.getEnabledCipherSuites()).contains(SUITE);
    }

    @Test
    @SuppressWarnings("NullAway") // What a wrong call gets.
    void rejectsNullNames() {
        SSLEngine engine = engine();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> engine.setEnabledCipherSuites(null));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> engine.setEnabledCipherSuites(new String[] {SUITE, null}));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> engine.setEnabledProtocols(null));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> engine.setEnabledProtocols(new String[] {null}));
    }

    @Test
    void rejectsUnknownProtocols() {
        SSLEngine engine = engine();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> engine.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv9"}));
        assertThat(engine.getEnabledProtocols()).contains("TLSv1.2", "TLSv1.3");
    }

    @Test
    void supportsWhatItEnables() {
        SSLEngine engine = engine();
        assertThat(engine.getSupportedProtocols())
                .contains(engine.getEnabledProtocols())
                .contains("TLSv1.2", "TLSv1.3");
        assertThat(engine.getSupportedCipherSuites())
                .contains(engine.getEnabledCipherSuites())
                .contains("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")
                .contains(
                        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    }

    @Test
    void givesCopiesOfItsNames() {
        SSLEngine engine = engine();
        engine.getEnabledCipherSuites()[0] = "changed";
        engine.getSupportedCipherSuites()[0] = "changed";
        engine.getEnabledProtocols()[0] = "changed";
        engine.getSupportedProtocols()[0] = "changed";
        assertThat(engine.getEnabledCipherSuites()).doesNotContain("changed");
        assertThat(engine.getSupportedCipherSuites()).doesNotContain("changed");
        assertThat(engine.getEnabledProtocols()).doesNotContain("changed");
        assertThat(engine.getSupportedProtocols()).doesNotContain("changed");
    }

    @Test
    void keepsCopiesOfGivenNames() {
        SSLEngine engine = engine();
        String[] suites = {SUITE};
        String[] protocols = {"TLSv1.3"};
        engine.setEnabledCipherSuites(suites);
        engine.setEnabledProtocols(protocols);
        suites[0] = "changed";
        protocols[0] = "changed";
        assertThat(engine.getEnabledCipherSuites()).containsExactly(SUITE);
        assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.3");
    }

    @Test
    void emptyParametersChangeNothing() {
        SSLEngine engine = engine();
        engine.setUseClientMode(true);
        String[] suites = engine.getEnabledCipherSuites();
        String[] protocols = engine.getEnabledProtocols();
        engine.setSSLParameters(new SSLParameters());
        assertThat(engine.getEnabledCipherSuites()).containsExactly(suites);
        assertThat(engine.getEnabledProtocols()).containsExactly(protocols);
    }

    @Test
    void keepsTheOrderOfEnabledCipherSuites() {
        SSLEngine engine = engine();
        String[] suites = {"TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", SUITE};
        engine.setEnabledCipherSuites(suites);
        assertThat(engine.getEnabledCipherSuites()).containsExactly(suites);
    }

    @Test
    void needAndWantOfClientAuthenticationExcludeEachOther() {
        SSLEngine engine = engine();
        engine.setUseClientMode(false);
        assertThat(engine.getNeedClientAuth() || engine.getWantClientAuth()).isFalse();
        engine.setNeedClientAuth(true);
        assertThat(engine.getNeedClientAuth()).isTrue();
        assertThat(engine.getWantClientAuth()).isFalse();
        engine.setWantClientAuth(true);
        assertThat(engine.getNeedClientAuth()).isFalse();
        assertThat(engine.getWantClientAuth()).isTrue();
        engine.setNeedClientAuth(false);
        assertThat(engine.getWantClientAuth()).isFalse();
    }

    @Test
    void keepsItsParameters() {
        SSLEngine engine = engine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        parameters.setUseCipherSuitesOrder(false);
        parameters.setProtocols(new String[] {"TLSv1.2"});
        parameters.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
        parameters.setNamedGroups(new String[] {"secp384r1"});
        parameters.setSignatureSchemes(new String[] {"ecdsa_secp256r1_sha256"});
        engine.setSSLParameters(parameters);
        SSLParameters kept = engine.getSSLParameters();
        assertThat(kept.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(kept.getApplicationProtocols()).containsExactly("h2", "http/1.1");
        assertThat(kept.getUseCipherSuitesOrder()).isFalse();
        assertThat(kept.getProtocols()).containsExactly("TLSv1.2");
        assertThat(kept.getCipherSuites()).containsExactly("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        assertThat(kept.getNamedGroups()).containsExactly("secp384r1");
        assertThat(kept.getSignatureSchemes()).containsExactly("ecdsa_secp256r1_sha256");
        assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.2");
    }

    @Test
    void parametersCarryClientAuthentication() {
        SSLEngine engine = engine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setWantClientAuth(true);
        engine.setSSLParameters(parameters);
        assertThat(engine.getWantClientAuth()).isTrue();
        parameters.setNeedClientAuth(true);
        engine.setSSLParameters(parameters);
        assertThat(engine.getNeedClientAuth()).isTrue();
        assertThat(engine.getSSLParameters().getNeedClientAuth()).isTrue();
    }

    @Test
    void changesOfGivenParametersHaveNoEffect() {
        SSLEngine engine = engine();
        engine.getSSLParameters().setProtocols(new String[] {"TLSv1.2"});
        assertThat(engine.getEnabledProtocols()).contains("TLSv1.3");
    }

    @Test
    void contextHasParameters() {
        SSLContext context = JsseContexts.client(provider);
        assertThat(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.2", "TLSv1.3");
        assertThat(context.getDefaultSSLParameters().getCipherSuites()).contains(SUITE);
        assertThat(context.getSupportedSSLParameters().getProtocols()).contains("TLSv1.2", "TLSv1.3");
        assertThat(context.getSupportedSSLParameters().getCipherSuites())
                .contains(context.getDefaultSSLParameters().getCipherSuites());
    }

    @Test
    void knowsThePeerItWasCreatedFor() {
        SSLEngine engine = JsseContexts.client(provider).createSSLEngine("host.example", 8443);
        assertThat(engine.getPeerHost()).isEqualTo("host.example");
        assertThat(engine.getPeerPort()).isEqualTo(8443);
        assertThat(engine().getPeerHost()).isNull();
        assertThat(engine().getPeerPort()).isEqualTo(-1);
    }

    @Test
    void noNewSessionMeansNoHandshake() throws SSLException {
        SSLEngine client = JsseContexts.newClient(provider).createSSLEngine("host.example", 1);
        client.setUseClientMode(true);
        assertThat(client.getEnableSessionCreation()).isTrue();
        client.setEnableSessionCreation(false);
        assertThat(client.getEnableSessionCreation()).isFalse();
        assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> {
            client.beginHandshake();
            new EnginePeer(client).wrap();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoEnginesOfOneRoleDoNotConnect(boolean isClient) throws SSLException {
        EngineLink link = new EngineLink(engine(isClient), engine(isClient));
        link.attempt();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(peer.count(HandshakeStatus.FINISHED)).isZero();
            assertThat(peer.failure() == null).isEqualTo(!isClient);
        }
    }

    private SSLEngine engine(boolean isClient) {
        SSLEngine engine = engine();
        engine.setUseClientMode(isClient);
        return engine;
    }

    @Test
    void serverWithoutACertificateFails() throws SSLException {
        SSLContext keyless = JsseContexts.newClient(provider);
        EngineLink link = new ProviderPair(provider, provider, JsseVersion.TLS_13)
                .link(JsseContexts.client(provider), keyless)
                .attempt();
        assertThat(EngineLink.failureOf(link.server())).isInstanceOf(SSLHandshakeException.class);
        assertThat(EngineLink.failureOf(link.client()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("handshake_failure");
    }
}
