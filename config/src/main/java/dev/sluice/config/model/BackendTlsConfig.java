package dev.sluice.config.model;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of connections to a backend's servers.
 *
 * @param authorities PEM file of the authorities that the servers' certificates must chain to; null: the system's
 * @param authoritiesDigest the digest of that file, so that changed contents are a changed configuration; "" without
 *     one
 * @param serverName the name that the certificates must be valid for, sent as SNI; "": the host in each server's
 *     address
 * @param verify true to verify certificates
 * @param certificate the certificate that the gateway presents as a client; null: none
 * @param minVersion the oldest TLS version accepted
 * @param alpn the protocols offered; empty: none
 */
public record BackendTlsConfig(
        @Nullable Path authorities,
        String authoritiesDigest,
        String serverName,
        boolean verify,
        @Nullable CertificateConfig certificate,
        TlsVersion minVersion,
        List<String> alpn) {
    /** Verification against the system's authorities. */
    public static final BackendTlsConfig DEFAULT =
            new BackendTlsConfig(null, "", "", true, null, TlsVersion.TLS_1_2, List.of());

    /** Copies the list. */
    public BackendTlsConfig {
        alpn = List.copyOf(alpn);
    }

    /**
     * Returns the DNS name or IP address that a server's certificate must be valid for; "" for a nameless Unix socket.
     */
    public String nameOf(SocketAddress server) {
        if (!serverName.isEmpty()) {
            return serverName;
        }
        return server instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }
}
