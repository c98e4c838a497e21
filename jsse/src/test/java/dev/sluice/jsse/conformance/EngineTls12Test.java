package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour of TLS 1.2 that TLS 1.3 has given up: ids that last, and cipher suites that name a kind of key. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#tls12")
final class EngineTls12Test {
    private final ProviderPair pair;

    EngineTls12Test(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void theIdOutlivesTheConnection() throws SSLException {
        SSLContext client = JsseContexts.newClient(pair.client());
        SSLContext server = JsseContexts.newServer(pair.server());
        SSLSession first = connect(client, server);
        SSLSession second = connect(client, server);
        assertThat(second.getId()).isEqualTo(first.getId()).hasSizeBetween(1, 32);
    }

    private SSLSession connect(SSLContext client, SSLContext server) throws SSLException {
        EngineLink link = pair.link(client, server, "localhost", 443).handshake();
        link.close();
        return link.client().engine().getSession();
    }

    @Test
    void theContextOfTheClientFindsItsSessionsById() throws SSLException {
        SSLContext client = JsseContexts.newClient(pair.client());
        SSLSession session = connect(client, JsseContexts.server(pair.server()));
        SSLSession cached = client.getClientSessionContext().getSession(session.getId());
        assertThat(cached.getId()).isEqualTo(session.getId());
        assertThat(cached.getCreationTime()).isEqualTo(session.getCreationTime());
        assertThat(session.getSessionContext()).isSameAs(client.getClientSessionContext());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECDSA", "RSA"})
    void theSuiteChoosesTheCertificate(String kind) {
        Credential elliptic = JsseContexts.AUTHORITY.server();
        Credential rsa = JsseContexts.AUTHORITY.serverRsa();
        EngineLink link =
                pair.link(JsseContexts.client(pair.client()), JsseContexts.newServer(pair.server(), elliptic, rsa));
        String suite = "TLS_ECDHE_" + kind + "_WITH_AES_128_GCM_SHA256";
        link.client().engine().setEnabledCipherSuites(new String[] {suite});
        link.handshake();
        assertThat(link.server().engine().getSession().getLocalCertificates())
                .containsExactly(kind.equals("RSA") ? rsa.certificate() : elliptic.certificate());
    }
}
