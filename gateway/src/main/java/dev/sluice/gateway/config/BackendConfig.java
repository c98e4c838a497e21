package dev.sluice.gateway.config;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Servers that take the plaintext.
 *
 * @param name its name in the configuration
 * @param servers at least one: {@link InetSocketAddress}, resolved, or {@link UnixDomainSocketAddress}
 * @param balance which server a connection goes to
 * @param proxyProtocol what the server is told of the client before the first byte
 * @param connectTimeout how long one server may take to accept a connection before the next is tried
 */
public record BackendConfig(
        String name,
        List<SocketAddress> servers,
        Balance balance,
        ProxyProtocol proxyProtocol,
        Duration connectTimeout) {
    /** How long a server may take to accept a connection unless configured: 5 s. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** Copies the list. */
    public BackendConfig {
        servers = List.copyOf(servers);
    }

    /** How a server's address is written, in configuration and messages alike. */
    public static String text(SocketAddress server) {
        return switch (server) {
            case InetSocketAddress inet ->
                inet.getAddress() instanceof java.net.Inet6Address
                        ? "[" + inet.getAddress().getHostAddress() + "]:" + inet.getPort()
                        : inet.getHostString() + ":" + inet.getPort();
            case UnixDomainSocketAddress unix -> "unix:" + unix.getPath();
            default -> server.toString();
        };
    }
}
