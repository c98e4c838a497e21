package dev.sluice.gateway.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where metrics and dashboard are, and who may have them. What is not on the loopback interface has a token or asks for clients'
 * certificates, which {@link AdminReader} sees to.
 *
 * @param address where it listens
 * @param tokenFile file with the token that clients must show; null: they need none
 * @param tls null: it speaks plain HTTP
 */
public record AdminHttpConfig(
        InetSocketAddress address,
        @Nullable Path tokenFile,
        @Nullable AdminTlsConfig tls) {
    /** On an address of the loopback interface, for everybody on this machine. */
    public static AdminHttpConfig local(InetSocketAddress address) {
        return new AdminHttpConfig(address, null, null);
    }

    /** Whether only this machine can reach it. */
    public boolean isLoopback() {
        return address.getAddress().isLoopbackAddress();
    }
}
