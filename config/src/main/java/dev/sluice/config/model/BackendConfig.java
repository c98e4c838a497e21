package dev.sluice.config.model;

import dev.sluice.ffi.libc.InetText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of servers that receive the plaintext.
 *
 * @param name the name in the configuration
 * @param servers at least one that is no backup, by {@link InetSocketAddress} or {@link UnixDomainSocketAddress}. A
 *     name ({@link InetSocketAddress#createUnresolved}, {@link dev.sluice.config.yaml.ServiceName}) stands for all
 *     servers that the gateway finds by it
 * @param balance the load balancing
 * @param proxyProtocol the PROXY header before the first byte
 * @param connectTimeout the time limit of a server to accept a connection, and again to complete a TLS handshake
 * @param retries the number of other servers to try when one does not accept a connection; {@link #ALL_OTHERS}: each
 *     once
 * @param tls the TLS settings; null: no TLS
 * @param health the health checks; null: none
 * @param eject the ejection of servers that accept no connections; null: none
 * @param slowStart the time in which a server that comes back gets its full share
 * @param keepAlive the idle time after which the kernel probes the server; zero: never
 * @param resolve the resolution of the servers' names
 * @param connect the time at which a server is connected to
 */
public record BackendConfig(
        String name,
        List<ServerConfig> servers,
        Balance balance,
        ProxyProtocol proxyProtocol,
        Duration connectTimeout,
        int retries,
        @Nullable BackendTlsConfig tls,
        @Nullable HealthConfig health,
        @Nullable EjectConfig eject,
        Duration slowStart,
        Duration keepAlive,
        ResolveConfig resolve,
        ConnectMode connect) {
    /** The default time limit of a connect: 5 s. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The default slow start: 10 s. */
    public static final Duration DEFAULT_SLOW_START = Duration.ofSeconds(10);

    /** The number of {@link #retries} that tries every other server. */
    public static final int ALL_OTHERS = Integer.MAX_VALUE;

    /** The time at which a client's connection to a backend is made. */
    public enum ConnectMode {
        /** As soon as the client's handshake is complete. */
        AT_ONCE,
        /**
         * At the start of the handshake, if the ClientHello decides the route: the connect and the handshake overlap. A
         * client that completes no handshake has a server connected to all the same, but no byte sent to it.
         */
        AT_HELLO,
        /** On the client's first byte, so that clients at rest take no connection of a server. */
        ON_DATA
    }

    /** Copies the list. */
    public BackendConfig {
        servers = List.copyOf(servers);
    }

    /** Creates a backend of equal servers without TLS and health checks, and with defaults for the rest. */
    public BackendConfig(
            String name,
            List<SocketAddress> servers,
            Balance balance,
            ProxyProtocol proxyProtocol,
            Duration connectTimeout) {
        this(
                name,
                servers.stream().map(ServerConfig::of).toList(),
                balance,
                proxyProtocol,
                connectTimeout,
                ALL_OTHERS,
                null,
                null,
                EjectConfig.DEFAULT,
                DEFAULT_SLOW_START,
                Duration.ZERO,
                ResolveConfig.DEFAULT,
                ConnectMode.AT_ONCE);
    }

    /** Returns a copy with other servers. */
    public BackendConfig withServers(List<ServerConfig> others) {
        return new BackendConfig(
                name,
                others,
                balance,
                proxyProtocol,
                connectTimeout,
                retries,
                tls,
                health,
                eject,
                slowStart,
                keepAlive,
                resolve,
                connect);
    }

    /** Returns the addresses of the servers, in order. */
    public List<SocketAddress> addresses() {
        return servers.stream().map(ServerConfig::address).toList();
    }

    /** Returns the address of a server. */
    public SocketAddress address(int server) {
        return servers.get(server).address();
    }

    /** Returns a server's address as the configuration and messages write it. */
    public static String text(SocketAddress server) {
        return switch (server) {
            case InetSocketAddress inet ->
                inet.getAddress() instanceof java.net.Inet6Address
                        ? InetText.of(inet)
                        : inet.getHostString() + ":" + inet.getPort();
            case UnixDomainSocketAddress unix -> "unix:" + unix.getPath();
            default -> server.toString();
        };
    }
}
