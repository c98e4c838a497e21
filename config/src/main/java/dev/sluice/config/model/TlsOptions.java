package dev.sluice.config.model;

import dev.sluice.tls.context.HandshakePath;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a listener.
 *
 * @param minVersion the oldest version accepted
 * @param ciphers the cipher suites in order of preference, OpenSSL or IANA names; empty: the library's defaults
 * @param groups the key-exchange groups in order of preference; empty: the library's defaults
 * @param client the client-authentication policy of clients that match none of {@code hosts}
 * @param hosts virtual hosts with a policy of their own
 * @param earlyData the treatment of early data
 * @param handshake the way to handshakes
 * @param records what protects the records behind the handshake
 * @param compressed true if certificates are sent compressed to clients that accept that
 * @param ech Encrypted ClientHello; null to ignore it
 */
public record TlsOptions(
        TlsVersion minVersion,
        List<String> ciphers,
        List<String> groups,
        ClientPolicy client,
        List<HostPolicy> hosts,
        EarlyDataMode earlyData,
        HandshakePath handshake,
        RecordProtection records,
        boolean compressed,
        @Nullable EchConfig ech) {
    /** TLS 1.2 and later, the library's suites and groups, no client authentication. */
    public static final TlsOptions DEFAULT =
            new TlsOptions(TlsVersion.TLS_1_2, List.of(), List.of(), ClientAuth.NONE, null);

    /** Returns the settings of a profile, without client authentication. */
    public static TlsOptions of(TlsProfile profile) {
        return new TlsOptions(profile.minVersion(), profile.ciphers(), profile.groups(), ClientAuth.NONE, null);
    }

    /** Creates settings without early data and virtual hosts. */
    public TlsOptions(
            TlsVersion minVersion,
            List<String> ciphers,
            List<String> groups,
            ClientAuth clientAuth,
            @Nullable Path clientCa) {
        this(
                minVersion,
                ciphers,
                groups,
                ClientPolicy.of(clientAuth, clientCa),
                List.of(),
                EarlyDataMode.OFF,
                HandshakePath.AUTO,
                RecordProtection.DIRECT,
                true,
                null);
    }

    /** Copies the lists. */
    public TlsOptions {
        ciphers = List.copyOf(ciphers);
        groups = List.copyOf(groups);
        hosts = List.copyOf(hosts);
    }

    /** Returns the mode of client authentication of clients that match none of {@code hosts}. */
    public ClientAuth clientAuth() {
        return client.mode();
    }

    /** Returns a copy with another way to handshakes. */
    public TlsOptions withHandshake(HandshakePath path) {
        return new TlsOptions(minVersion, ciphers, groups, client, hosts, earlyData, path, records, compressed, ech);
    }

    /** Returns a copy with another protection of records. */
    public TlsOptions withRecords(RecordProtection protection) {
        return new TlsOptions(
                minVersion, ciphers, groups, client, hosts, earlyData, handshake, protection, compressed, ech);
    }

    /** Returns a copy with other client-authentication policies. */
    public TlsOptions withClients(ClientPolicy newClient, List<HostPolicy> newHosts) {
        return new TlsOptions(
                minVersion, ciphers, groups, newClient, newHosts, earlyData, handshake, records, compressed, ech);
    }
}
