package dev.sluice.jsse.conformance;

import dev.sluice.testkit.Credential;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** A key manager whose only key may be replaced. */
final class RotatingKeyManager extends OneKeyManager {
    private static final String ALIAS = "current";

    private Credential current;

    RotatingKeyManager(Credential current) {
        super(JsseContexts.keyManager(JsseContexts.AUTHORITY.server()));
        this.current = current;
    }

    void replace(Credential next) {
        current = next;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return keyType.equals(current.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return List.of(types).contains(current.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return current.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return current.key();
    }
}
