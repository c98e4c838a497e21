package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import java.security.Principal;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** SNI (RFC 6066): names, matchers, refusal, and a certificate by name. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineServerNamesTest {
    private static final AtomicInteger PORTS = new AtomicInteger(10_000);

    private final ProviderPair pair;

    EngineServerNamesTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void theHostIsTheName() {
        assertThat(namesSeen(linkTo("host.example"))).containsExactly(new SNIHostName("host.example"));
    }

    private EngineLink linkTo(String host) {
        return pair.link(
                JsseContexts.client(pair.client()), JsseContexts.server(pair.server()), host, PORTS.incrementAndGet());
    }

    private static List<SNIServerName> namesSeen(EngineLink link) {
        link.handshake();
        return requested(link.server().engine());
    }

    private static List<SNIServerName> requested(SSLEngine engine) {
        return ((ExtendedSSLSession) engine.getSession()).getRequestedServerNames();
    }

    @Test
    void clientsRememberTheName() {
        EngineLink link = linkTo("host.example").handshake();
        assertThat(requested(link.client().engine())).containsExactly(new SNIHostName("host.example"));
    }

    @Test
    void addressesAreNoNames() {
        assertThat(namesSeen(linkTo("127.0.0.1"))).isEmpty();
        assertThat(namesSeen(linkTo("::1"))).isEmpty();
    }

    @Test
    void noHostMeansNoName() {
        assertThat(namesSeen(pair.link())).isEmpty();
    }

    @Test
    void givenNamesReplaceTheHost() {
        EngineLink link = linkTo("host.example");
        ask(link.client().engine(), "other.example");
        assertThat(namesSeen(link)).containsExactly(new SNIHostName("other.example"));
    }

    private static void ask(SSLEngine engine, String name) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
    }

    @Test
    void anEmptyListSendsNoName() {
        EngineLink link = linkTo("host.example");
        SSLParameters parameters = link.client().engine().getSSLParameters();
        parameters.setServerNames(List.of());
        link.client().engine().setSSLParameters(parameters);
        assertThat(namesSeen(link)).isEmpty();
    }

    @Test
    void parametersShowTheHost() {
        SSLEngine client = linkTo("host.example").client().engine();
        assertThat(client.getSSLParameters().getServerNames()).containsExactly(new SNIHostName("host.example"));
    }

    @Test
    void matchersAccept() throws SSLException {
        EngineLink link = linkTo("www.host.example");
        match(link, "(.*\\.)?host\\.example");
        assertThat(namesSeen(link)).containsExactly(new SNIHostName("www.host.example"));
        link.assertCarriesData();
    }

    private static void match(EngineLink link, String pattern) {
        SSLParameters parameters = link.server().engine().getSSLParameters();
        parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher(pattern)));
        link.server().engine().setSSLParameters(parameters);
    }

    @Test
    void matchersRefuse() {
        EngineLink link = linkTo("www.other.example");
        match(link, "(.*\\.)?host\\.example");
        link.attempt();
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(EngineLink.failureOf(peer))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("unrecognized_name");
        }
    }

    @Test
    void matchersLetClientsWithoutANamePass() {
        EngineLink link = pair.link();
        match(link, "host\\.example");
        assertThat(namesSeen(link)).isEmpty();
    }

    @Test
    void keyManagersSeeTheName() throws SSLPeerUnverifiedException {
        Credential one = JsseContexts.AUTHORITY.issue(
                CertificateRequest.named("by-name-one").forHosts("one.example"));
        Credential two = JsseContexts.AUTHORITY.issue(
                CertificateRequest.named("by-name-two").forHosts("two.example"));
        SSLContext server = pair.server()
                .context(new KeyManager[] {new ByName(JsseContexts.keyManager(one, two))}, JsseContexts.trust());
        Map<String, Credential> byHost = Map.of("one.example", one, "two.example", two);
        for (String host : byHost.keySet()) {
            EngineLink link = pair.link(JsseContexts.client(pair.client()), server, host, PORTS.incrementAndGet());
            SSLParameters parameters = link.client().engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            link.client().engine().setSSLParameters(parameters);
            link.handshake();
            assertThat(link.client().engine().getSession().getPeerCertificates()[0])
                    .isEqualTo(Objects.requireNonNull(byHost.get(host)).certificate());
        }
    }

    /** A key manager that chooses the certificate whose names include the requested one. */
    private static final class ByName extends OneKeyManager {
        ByName(X509ExtendedKeyManager keys) {
            super(keys);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            ExtendedSSLSession session =
                    (ExtendedSSLSession) Objects.requireNonNull(engine).getHandshakeSession();
            String asked = ((SNIHostName) session.getRequestedServerNames().getFirst()).getAsciiName();
            String[] aliases = getServerAliases(keyType, issuers);
            return aliases == null
                    ? null
                    : Arrays.stream(aliases)
                            .filter(alias ->
                                    names(getCertificateChain(alias)[0]).contains(asked))
                            .findFirst()
                            .orElse(null);
        }

        private static String names(X509Certificate certificate) {
            try {
                return String.valueOf(certificate.getSubjectAlternativeNames());
            } catch (CertificateParsingException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
