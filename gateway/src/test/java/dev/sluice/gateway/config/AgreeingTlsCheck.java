package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A TLS library that takes everything: what is tested is the reading of the file. */
class AgreeingTlsCheck implements TlsCheck {
    @Override
    public @Nullable String keyPairProblem(KeyPairFiles pair) {
        return null;
    }

    @Override
    public @Nullable String ciphersProblem(List<String> ciphers) {
        return null;
    }

    @Override
    public @Nullable String groupsProblem(List<String> groups) {
        return null;
    }

    @Override
    public @Nullable String clientCaProblem(Path authorities) {
        return null;
    }
}
