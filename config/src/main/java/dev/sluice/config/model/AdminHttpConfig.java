package dev.sluice.config.model;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of metrics and dashboard, and its access control. Outside of the loopback interface the reader of the
 * configuration demands a token or clients' certificates.
 *
 * @param address the address to listen on
 * @param tokenFile the file with the token that clients must send; null: none
 * @param tls the TLS settings; null: plain HTTP
 */
public record AdminHttpConfig(
        InetSocketAddress address,
        @Nullable Path tokenFile,
        @Nullable AdminTlsConfig tls) {
    /** Returns an endpoint on the loopback interface, without access control. */
    public static AdminHttpConfig local(InetSocketAddress address) {
        return new AdminHttpConfig(address, null, null);
    }

    /** Returns true when only this machine can reach the endpoint. */
    public boolean isLoopback() {
        return address.getAddress().isLoopbackAddress();
    }
}
