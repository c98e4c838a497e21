package dev.sluice.gateway.config;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken to a backend's servers.
 *
 * @param authorities PEM: who may have issued the servers' certificates; null: those that the system trusts
 * @param authoritiesDigest of that file's content, so that another content is another configuration; "" without a file
 * @param serverName whom the certificates must be for, and what is asked for by SNI; "": the host in each server's address
 * @param verify whether certificates are verified at all
 * @param certificate what the gateway presents as a client; null: nothing
 * @param minVersion the oldest version accepted
 * @param alpn protocols offered; empty: none
 */
public record BackendTlsConfig(
        @Nullable Path authorities,
        String authoritiesDigest,
        String serverName,
        boolean verify,
        @Nullable CertificateConfig certificate,
        TlsVersion minVersion,
        List<String> alpn) {
    /** Verified against the system's authorities. */
    public static final BackendTlsConfig DEFAULT =
            new BackendTlsConfig(null, "", "", true, null, TlsVersion.TLS_1_2, List.of());

    /** Copies the list. */
    public BackendTlsConfig {
        alpn = List.copyOf(alpn);
    }

    /** Whom a server's certificate must be for: a DNS name or an IP address; "" for a Unix socket without a name. */
    public String nameOf(SocketAddress server) {
        if (!serverName.isEmpty()) {
            return serverName;
        }
        return server instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }
}
