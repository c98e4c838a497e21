package dev.sluice.gateway.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which TLS a listener speaks.
 *
 * @param minVersion the oldest version accepted
 * @param ciphers suites offered in order of preference, OpenSSL or IANA names; empty: the library's defaults
 * @param groups key-exchange groups in order of preference; empty: the library's defaults
 * @param clientAuth whether clients need a certificate
 * @param clientCa PEM file of the authorities that clients' certificates must lead to; null without client-auth
 * @param earlyData what becomes of early data
 */
public record TlsOptions(
        TlsVersion minVersion,
        List<String> ciphers,
        List<String> groups,
        ClientAuth clientAuth,
        @Nullable Path clientCa,
        EarlyDataMode earlyData) {
    /** TLS 1.2 and later, the library's suites and groups, no client certificates. */
    public static final TlsOptions DEFAULT =
            new TlsOptions(TlsVersion.TLS_1_2, List.of(), List.of(), ClientAuth.NONE, null);

    /** As a profile says, no client certificates. */
    public static TlsOptions of(TlsProfile profile) {
        return new TlsOptions(profile.minVersion(), profile.ciphers(), profile.groups(), ClientAuth.NONE, null);
    }

    /** Without early data. */
    public TlsOptions(
            TlsVersion minVersion,
            List<String> ciphers,
            List<String> groups,
            ClientAuth clientAuth,
            @Nullable Path clientCa) {
        this(minVersion, ciphers, groups, clientAuth, clientCa, EarlyDataMode.OFF);
    }

    /** Copies the lists. */
    public TlsOptions {
        ciphers = List.copyOf(ciphers);
        groups = List.copyOf(groups);
    }

    /** The same with early data. */
    public TlsOptions withEarlyData(EarlyDataMode mode) {
        return new TlsOptions(minVersion, ciphers, groups, clientAuth, clientCa, mode);
    }
}
