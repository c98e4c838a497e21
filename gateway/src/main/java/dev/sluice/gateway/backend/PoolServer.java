package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.LoopCounters;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server as one loop sees it: how many connections it has of this loop, and the TLS session with it. It stays the
 * same while its backend has the server, whatever becomes of the others, and its connections hold it beyond that.
 * Confined to the loop's thread.
 */
public final class PoolServer {
    private final String backend;
    private final String name;
    private final SocketAddress address;
    /** The connections of all loops. */
    private final AtomicInteger allConnections;

    private final ServerSession session = new ServerSession();
    private int connections;

    PoolServer(String backend, ServerConfig config, AtomicInteger allConnections) {
        this.backend = backend;
        this.name = config.text();
        this.address = config.address();
        this.allConnections = allConnections;
    }

    /** Returns the name of the server's backend. */
    public String backend() {
        return backend;
    }

    /** Returns the server's address for people and labels; a name without an address as the configuration writes it. */
    public String name() {
        return name;
    }

    /** Returns the address to connect to; null while the name has none. */
    @Nullable
    SocketAddress address() {
        return Addresses.nameOf(address) == null ? address : null;
    }

    /** Returns host and port as a request to the server has them: the name where the configuration has one. */
    String authority() {
        return BackendConfig.text(address);
    }

    ServerSession session() {
        return session;
    }

    /**
     * Returns true for the server of another group that is this one: same address, found by the same name.
     *
     * @param all what counts the connections of the other one
     */
    boolean isSame(SocketAddress other, AtomicInteger all) {
        return allConnections.equals(all)
                && address.equals(other)
                && hostOf(address).equals(hostOf(other));
    }

    private static String hostOf(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }

    // --- its connections --------------------------------------------------------------------------------------------

    /** A connection was begun. */
    void opened() {
        connections++;
        allConnections.incrementAndGet();
    }

    /** A connection is over, or could not be had. */
    public void closed() {
        connections--;
        allConnections.decrementAndGet();
    }

    /** Returns the number of its connections now, of this loop. */
    public int connections() {
        return connections;
    }

    // --- counters ---------------------------------------------------------------------------------------------------

    /** Counts one event of the server. */
    void count(Metric metric, LoopCounters counters) {
        counters.increment(metric, backend, name);
    }

    /** Counts a complete TLS handshake with the server. */
    void countHandshake(Metric.ServerHandshake kind, LoopCounters counters) {
        counters.increment(Metric.BACKEND_HANDSHAKES, kind, backend, name);
    }

    /** Counts a connection that no client came to use, since its handshake failed. */
    public void countUnused(LoopCounters counters) {
        count(Metric.BACKEND_CONNECTS_UNUSED, counters);
    }
}
