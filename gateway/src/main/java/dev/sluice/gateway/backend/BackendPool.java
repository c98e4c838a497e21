package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.ServerHandshake;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.ConnectionFailure;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one backend as one loop sees them: whose turn it is, how many connections each has of this loop, and
 * the TLS sessions that it has with them. Confined to the loop's thread, but for {@link #free()}.
 *
 * <p>Held by those listeners of the loop that lead to it; with the last of them it is over. Connections made through it
 * may last longer: they need it for its counts only.
 */
public final class BackendPool {
    /** No server. */
    static final int NONE = -1;

    private final BackendTarget target;
    private final BackendConfig config;
    private final int[] connections;
    /** The same of all loops. */
    private final List<AtomicInteger> allConnections;
    /** The server names as counters use them. */
    private final List<String> names;

    private final ServerChoice choice;
    private final BackendSessions sessions;
    private final List<HealthCheck> checks = new ArrayList<>();
    private int holders;
    private boolean freed;

    /**
     * Creates a backend pool.
     *
     * @param target held from now on
     * @param firstTurn which server comes first, so that loops do not all begin with the same one
     */
    public BackendPool(BackendTarget target, int firstTurn) {
        this.target = target;
        this.config = target.config();
        this.connections = new int[config.servers().size()];
        this.allConnections = target.health().connections();
        this.names = config.servers().stream().map(ServerConfig::text).toList();
        this.choice = new ServerChoice(config, connections, firstTurn);
        this.sessions = new BackendSessions(connections.length);
        target.hold();
    }

    public BackendConfig config() {
        return config;
    }

    public BackendTarget target() {
        return target;
    }

    BackendHealth health() {
        return target.health();
    }

    BackendSessions sessions() {
        return sessions;
    }

    public int size() {
        return connections.length;
    }

    /** A server as the configuration writes it. */
    public String serverName(int index) {
        return names.get(index);
    }

    /** The address of a server; null while its name has none. */
    @Nullable
    SocketAddress server(int index) {
        return target.addresses().get(index);
    }

    /** Returns the failure of a client for which there is no server to be tried. */
    ConnectionFailure noServer() {
        Standing standing = health().standing();
        boolean isAnyEnabled =
                IntStream.range(0, size()).anyMatch(server -> standing.mode(server) == ServerMode.ENABLED);
        return isAnyEnabled ? ServerConnect.unresolved("") : ServerConnect.disabled();
    }

    /** Counts one event of a server. */
    void count(Metric metric, int server, LoopCounters counters) {
        counters.increment(metric, config.name(), serverName(server));
    }

    /** Counts a connection to a server that no client came to use, since its handshake failed. */
    public void countUnused(int server, LoopCounters counters) {
        count(Metric.BACKEND_CONNECTS_UNUSED, server, counters);
    }

    /** Counts a complete TLS handshake with a server. */
    void countHandshake(ServerHandshake kind, int server, LoopCounters counters) {
        counters.increment(Metric.BACKEND_HANDSHAKES, kind, config.name(), serverName(server));
    }

    /** Returns true when the choice of a server depends on where a connection comes from. */
    boolean needsKey() {
        return config.balance() == Balance.HASH;
    }

    // --- which server -----------------------------------------------------------------------------------------------

    /**
     * Returns the server that the next connection goes to; see {@link ServerChoice}.
     *
     * @param now as of {@link System#nanoTime()}
     * @param key what the client is told apart by, see {@link AddressKey}; of no matter unless {@link #needsKey()}
     * @param tried the servers that have not taken it; null: none. Not all.
     * @return {@link #NONE} when no server that is left has an address
     */
    int choose(long now, long key, @Nullable BitSet tried) {
        return choice.choose(new ServerChoice.Request(health().standing(), now, key, tried));
    }

    // --- its connections --------------------------------------------------------------------------------------------

    /** A connection to a server was begun. */
    void opened(int index) {
        connections[index]++;
        allConnections.get(index).incrementAndGet();
    }

    /** A connection to a server is over, or could not be had. */
    public void closed(int index) {
        connections[index]--;
        allConnections.get(index).decrementAndGet();
    }

    /** Connections to a server now, of this loop. */
    public int connections(int index) {
        return connections[index];
    }

    // --- its life ---------------------------------------------------------------------------------------------------

    /** Has a check for as long as the pool is held. */
    public void add(HealthCheck check) {
        checks.add(check);
        check.start();
    }

    /** A listener leads here. */
    public void hold() {
        holders++;
    }

    /** One does no longer. */
    public boolean release() {
        holders--;
        return holders == 0;
    }

    /** Returns true once the pool is freed. */
    boolean isFreed() {
        return freed;
    }

    /** Nobody leads here any more: frees what it holds. From any thread when the loop has ended. */
    public void free() {
        freed = true;
        checks.forEach(HealthCheck::stop);
        checks.clear();
        sessions.close();
        target.release();
    }
}
