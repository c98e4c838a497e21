package dev.sluice.gateway.config;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Servers that take the plaintext.
 *
 * @param name its name in the configuration
 * @param servers at least one: {@link InetSocketAddress}, or {@link UnixDomainSocketAddress}. A name without an address
 *     ({@link InetSocketAddress#createUnresolved}) is looked up by the gateway, again and again while it does not
 * resolve
 * @param balance which server a connection goes to
 * @param proxyProtocol what the server is told of the client before the first byte
 * @param connectTimeout how long one server may take to accept a connection before the next is tried; as long again for TLS
 * @param retries how many other servers are tried when one does not take a connection; {@link #ALL_OTHERS}: each once
 * @param tls how TLS is spoken to the servers; null: not
 * @param health how they are checked; null: not
 * @param eject when one that takes no connections is passed over; null: never
 * @param slowStart how long a server that comes back takes to get its full share
 * @param keepAlive after so long without a byte the kernel asks whether the server is still there; zero: never
 * @param resolve how often the servers' names are looked up again; zero: never
 */
public record BackendConfig(
        String name,
        List<SocketAddress> servers,
        Balance balance,
        ProxyProtocol proxyProtocol,
        Duration connectTimeout,
        int retries,
        @Nullable BackendTlsConfig tls,
        @Nullable HealthConfig health,
        @Nullable EjectConfig eject,
        Duration slowStart,
        Duration keepAlive,
        Duration resolve) {
    /** How long a server may take to accept a connection unless configured: 5 s. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** How long a server that comes back takes to get its full share unless configured: 10 s. */
    public static final Duration DEFAULT_SLOW_START = Duration.ofSeconds(10);

    /** For {@link #retries}. */
    public static final int ALL_OTHERS = Integer.MAX_VALUE;

    /** Copies the list. */
    public BackendConfig {
        servers = List.copyOf(servers);
    }

    /** Without TLS and checks, and the rest as it is unless configured. */
    public BackendConfig(
            String name,
            List<SocketAddress> servers,
            Balance balance,
            ProxyProtocol proxyProtocol,
            Duration connectTimeout) {
        this(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                ALL_OTHERS,
                null,
                null,
                EjectConfig.DEFAULT,
                DEFAULT_SLOW_START,
                Duration.ZERO,
                Duration.ZERO);
    }

    /** The same with checks; null: none. */
    public BackendConfig withHealth(@Nullable HealthConfig newHealth) {
        return new BackendConfig(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                tls,
                newHealth,
                eject,
                slowStart,
                keepAlive,
                resolve);
    }

    /** The same with other rules for servers that take no connections; null: none. */
    public BackendConfig withEject(@Nullable EjectConfig newEject) {
        return new BackendConfig(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                tls,
                health,
                newEject,
                slowStart,
                keepAlive,
                resolve);
    }

    /** The same with TLS to its servers; null: without. */
    public BackendConfig withTls(@Nullable BackendTlsConfig newTls) {
        return new BackendConfig(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                newTls,
                health,
                eject,
                slowStart,
                keepAlive,
                resolve);
    }

    /** The same, trying other servers so many times. */
    public BackendConfig withRetries(int newRetries) {
        return new BackendConfig(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                newRetries,
                tls,
                health,
                eject,
                slowStart,
                keepAlive,
                resolve);
    }

    /** The same, giving a server that comes back its full share after another time. */
    public BackendConfig withSlowStart(Duration newSlowStart) {
        return new BackendConfig(
                name,
                servers,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                tls,
                health,
                eject,
                newSlowStart,
                keepAlive,
                resolve);
    }

    /** The same with other servers. */
    public BackendConfig withServers(List<SocketAddress> newServers) {
        return new BackendConfig(
                name,
                newServers,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                tls,
                health,
                eject,
                slowStart,
                keepAlive,
                resolve);
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
