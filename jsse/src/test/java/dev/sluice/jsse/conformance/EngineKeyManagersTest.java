package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Key managers of an application's own. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineKeyManagersTest {
    private static final TestCertificates AUTHORITY = JsseContexts.AUTHORITY;

    private final ProviderPair pair;

    EngineKeyManagersTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void plainKeyManagers() {
        SSLContext server =
                pair.server().context(new KeyManager[] {new PlainKeyManager(AUTHORITY.server())}, JsseContexts.trust());
        EngineLink link = pair.link(JsseContexts.client(pair.client()), server).attempt();
        Difference.PLAIN_KEY_MANAGER.check(
                pair.server(), link.server().failure() == null ? "asked" : "not asked by engines");
    }

    /** A key manager of the old interface, which knows sockets only, with one key. */
    private record PlainKeyManager(Credential credential) implements X509KeyManager {
        private static final String ALIAS = "the only one";

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return List.of(keyTypes).contains(algorithm()) ? ALIAS : null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return keyType.equals(algorithm()) ? ALIAS : null;
        }

        private String algorithm() {
            return credential.key().getAlgorithm();
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return credential.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return credential.key();
        }
    }

    /** A certificate may be replaced while the context is in use. */
    @Test
    void keyManagersAreAskedForEachHandshake() throws SSLException {
        RotatingKeyManager keys = new RotatingKeyManager(AUTHORITY.server());
        SSLContext server = pair.server().context(new KeyManager[] {keys}, JsseContexts.trust());
        for (Credential each : List.of(AUTHORITY.server(), AUTHORITY.serverWithIntermediate(), AUTHORITY.server())) {
            keys.replace(each);
            EngineLink link =
                    pair.link(JsseContexts.client(pair.client()), server).handshake();
            assertThat(link.client().engine().getSession().getPeerCertificates())
                    .containsExactly(each.chain().toArray(X509Certificate[]::new));
        }
    }
}
