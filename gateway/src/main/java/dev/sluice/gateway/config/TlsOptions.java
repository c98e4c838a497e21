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
 * @param client how clients prove who they are, but for those of {@code hosts}
 * @param hosts virtual hosts with a policy of their own
 * @param earlyData what becomes of early data
 */
public record TlsOptions(
        TlsVersion minVersion,
        List<String> ciphers,
        List<String> groups,
        ClientPolicy client,
        List<HostPolicy> hosts,
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
        this(minVersion, ciphers, groups, ClientPolicy.of(clientAuth, clientCa), List.of(), EarlyDataMode.OFF);
    }

    /** Copies the lists. */
    public TlsOptions {
        ciphers = List.copyOf(ciphers);
        groups = List.copyOf(groups);
        hosts = List.copyOf(hosts);
    }

    /** Whether clients need a certificate, where their host has no policy of its own. */
    public ClientAuth clientAuth() {
        return client.mode();
    }

    /** The same with early data. */
    public TlsOptions withEarlyData(EarlyDataMode mode) {
        return new TlsOptions(minVersion, ciphers, groups, client, hosts, mode);
    }

    /** The same with another policy, and hosts with their own. */
    public TlsOptions withClients(ClientPolicy newClient, List<HostPolicy> newHosts) {
        return new TlsOptions(minVersion, ciphers, groups, newClient, newHosts, earlyData);
    }
}
