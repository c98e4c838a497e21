package dev.sluice.jsse.conformance;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A key manager that always chooses its first key, and keeps what it was asked with. */
class OneKeyManager extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys;
    private List<Principal> issuers = List.of();
    private List<String> keyTypes = List.of();

    OneKeyManager(X509ExtendedKeyManager keys) {
        this.keys = keys;
    }

    /** Returns the authorities of the last choice. */
    List<Principal> issuers() {
        return issuers;
    }

    /** Returns the types of keys of the last choice. */
    List<String> keyTypes() {
        return keyTypes;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] accepted, @Nullable SSLEngine engine) {
        keyTypes = List.of(types);
        issuers = accepted == null ? List.of() : List.of(accepted);
        for (String type : types) {
            String[] aliases = keys.getClientAliases(type, null);
            if (aliases != null) {
                return aliases[0];
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] accepted, @Nullable SSLEngine engine) {
        keyTypes = List.of(keyType);
        String[] aliases = keys.getServerAliases(keyType, null);
        return aliases == null ? null : aliases[0];
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] accepted) {
        return keys.getClientAliases(keyType, accepted);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] types, Principal @Nullable [] accepted, @Nullable Socket socket) {
        return chooseEngineClientAlias(types, accepted, null);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] accepted) {
        return keys.getServerAliases(keyType, accepted);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] accepted, @Nullable Socket socket) {
        return chooseEngineServerAlias(keyType, accepted, null);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return keys.getPrivateKey(alias);
    }
}
