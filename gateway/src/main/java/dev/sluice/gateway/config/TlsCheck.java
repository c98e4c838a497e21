package dev.sluice.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * Asks the TLS library whether it takes what the configuration names, so that a problem is reported at its line and not
 * when the first client comes. Each answer is null when all is well, else value, cause and remedy.
 */
public interface TlsCheck {
    /** Whether the chain can be loaded. */
    @Nullable
    String chainProblem(KeyPairFiles pair);

    /** Whether the key can be loaded and belongs to the chain's first certificate. */
    @Nullable
    String keyProblem(KeyPairFiles pair);

    /** Whether the options' cipher suites are known. */
    @Nullable
    String ciphersProblem(TlsOptions options);

    /** Whether the options' groups are known. */
    @Nullable
    String groupsProblem(TlsOptions options);

    /** Whether the options' authorities can be loaded. */
    @Nullable
    String clientCaProblem(TlsOptions options);
}
