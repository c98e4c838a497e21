package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.Ssl;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** The bridge from handshakes to the platform's key manager. Thread-safe as far as that is. */
public final class KeyBridge {
    private final @Nullable X509KeyManager manager;
    private final CredentialCache credentials;

    KeyBridge(@Nullable X509KeyManager manager, CredentialCache credentials) {
        this.manager = manager;
        this.credentials = credentials;
    }

    /**
     * Presents a server's certificates, one per type of key that the manager has.
     *
     * @param keyTypes those that the client accepts, by its preference
     * @return what is presented; libssl chooses among it
     */
    public List<PresentedChain> answerAsServer(Ssl ssl, List<String> keyTypes, SSLEngine engine)
            throws SSLKeyException {
        List<PresentedChain> presented = new ArrayList<>();
        for (String keyType : keyTypes) {
            PresentedChain chain = answer(ssl, serverAlias(keyType, engine));
            if (chain != null) {
                presented.add(chain);
            }
        }
        return presented;
    }

    private @Nullable String serverAlias(String keyType, SSLEngine engine) {
        X509KeyManager keys = manager;
        if (keys == null) {
            return null;
        }
        return keys instanceof X509ExtendedKeyManager extended
                ? extended.chooseEngineServerAlias(keyType, null, engine)
                : keys.chooseServerAlias(keyType, null, null);
    }

    /**
     * Presents a client's certificate.
     *
     * @param keyTypes those that the server accepts, by its preference
     * @param authorities the names of issuers that it accepts, in DER; empty for any
     * @return what is presented; null for nothing
     */
    public @Nullable PresentedChain answerAsClient(
            Ssl ssl, List<String> keyTypes, List<byte[]> authorities, SSLEngine engine) throws SSLKeyException {
        X509KeyManager keys = manager;
        if (keys == null) {
            return null;
        }
        String[] types = keyTypes.toArray(String[]::new);
        Principal[] issuers = authorities.stream().map(X500Principal::new).toArray(Principal[]::new);
        String alias = keys instanceof X509ExtendedKeyManager extended
                ? extended.chooseEngineClientAlias(types, issuers, engine)
                : keys.chooseClientAlias(types, issuers, null);
        return answer(ssl, alias);
    }

    private @Nullable PresentedChain answer(Ssl ssl, @Nullable String alias) throws SSLKeyException {
        X509KeyManager keys = manager;
        if (keys == null || alias == null) {
            return null;
        }
        PrivateKey key = keys.getPrivateKey(alias);
        X509Certificate[] certificates = keys.getCertificateChain(alias);
        if (key == null || certificates == null || certificates.length == 0) {
            return null;
        }
        List<X509Certificate> chain = List.copyOf(Arrays.asList(certificates));
        return new PresentedChain(chain, credentials.answer(ssl, key, chain));
    }
}
