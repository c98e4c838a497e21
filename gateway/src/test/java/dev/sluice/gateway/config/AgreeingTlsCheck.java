package dev.sluice.gateway.config;

import org.jspecify.annotations.Nullable;

/** A TLS library that takes everything: what is tested is the reading of the file. */
class AgreeingTlsCheck implements TlsCheck {
    @Override
    public @Nullable String chainProblem(KeyPairFiles pair) {
        return null;
    }

    @Override
    public @Nullable String keyProblem(KeyPairFiles pair) {
        return null;
    }

    @Override
    public @Nullable String ciphersProblem(TlsOptions options) {
        return null;
    }

    @Override
    public @Nullable String groupsProblem(TlsOptions options) {
        return null;
    }

    @Override
    public @Nullable String clientCaProblem(TlsOptions options) {
        return null;
    }
}
