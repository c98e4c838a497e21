package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.ServerHandshake;
import dev.sluice.gateway.outcome.LoopCounters;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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
    /** The server names as counters use them. */
    private final List<String> names;
    /** The credit that returning servers have accumulated for their next turn. */
    private final double[] turns;

    private final Rendezvous rendezvous;
    private final BackendSessions sessions;
    private final List<HealthCheck> checks = new ArrayList<>();
    private int next;
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
        this.names = config.servers().stream().map(BackendConfig::text).toList();
        this.turns = new double[connections.length];
        this.rendezvous = new Rendezvous(config.servers());
        this.sessions = new BackendSessions(connections.length);
        this.next = firstTurn % connections.length;
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

    /** Counts one event of a server. */
    void count(Metric metric, int server, LoopCounters counters) {
        counters.increment(metric, config.name(), serverName(server));
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
     * The server that the next connection goes to. Those that are out come last: better tried than no server at all.
     * Those without an address are never tried.
     *
     * @param now as of {@link System#nanoTime()}
     * @param key what the client is told apart by, see {@link AddressKey}; of no matter unless {@link #needsKey()}
     * @param tried the servers that have not taken it; null: none. Not all.
     * @return {@link #NONE} when no server that is left has an address
     */
    int choose(long now, long key, @Nullable BitSet tried) {
        Standing standing = health().standing();
        int chosen = best(standing, now, key, tried, true);
        if (chosen == NONE) {
            chosen = best(standing, now, key, tried, false);
        }
        next = tried == null && chosen != NONE ? after(chosen) : next;
        return chosen;
    }

    /**
     * Returns the best server.
     *
     * @param onlyUsable whether those that are out are left out; else those of them that have an address count in full
     */
    private int best(Standing standing, long now, long key, @Nullable BitSet tried, boolean onlyUsable) {
        return switch (config.balance()) {
            case ROUND_ROBIN -> inTurn(standing, now, tried, onlyUsable);
            case LEAST_CONNECTIONS -> leastLoaded(standing, now, tried, onlyUsable);
            case HASH -> highestScore(standing, now, key, tried, onlyUsable);
        };
    }

    private static double share(Standing standing, int server, long now, @Nullable BitSet tried, boolean onlyUsable) {
        if (tried != null && tried.get(server)) {
            return 0;
        }
        return onlyUsable ? standing.share(server, now) : standing.hasAddress(server) ? 1 : 0;
    }

    private int inTurn(Standing standing, long now, @Nullable BitSet tried, boolean onlyUsable) {
        int passedOver = -1;
        int server = next;
        for (int left = size(); left > 0; left--, server = after(server)) {
            double share = share(standing, server, now, tried, onlyUsable);
            if (share > 0 && hasTurn(server, share)) {
                return server;
            }
            passedOver = share > 0 && passedOver < 0 ? server : passedOver;
        }
        return passedOver;
    }

    /** A server with a share of a quarter lets three turns of four pass. */
    private boolean hasTurn(int server, double share) {
        if (share >= 1) {
            return true;
        }
        turns[server] += share;
        boolean has = turns[server] >= 1;
        turns[server] -= has ? 1 : 0;
        return has;
    }

    private int leastLoaded(Standing standing, long now, @Nullable BitSet tried, boolean onlyUsable) {
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        int server = next;
        for (int left = size(); left > 0; left--, server = after(server)) {
            double share = share(standing, server, now, tried, onlyUsable);
            double load = (connections[server] + 1) / share;
            if (share > 0 && load < least) {
                best = server;
                least = load;
            }
        }
        return best;
    }

    private int highestScore(Standing standing, long now, long key, @Nullable BitSet tried, boolean onlyUsable) {
        int best = -1;
        int passedOver = -1;
        for (int server = 0; server < size(); server++) {
            double share = share(standing, server, now, tried, onlyUsable);
            if (share >= 1 || (share > 0 && rendezvous.position(server, key) < share)) {
                best = higher(best, server, key);
            } else if (share > 0) {
                passedOver = higher(passedOver, server, key);
            }
        }
        return best >= 0 ? best : passedOver;
    }

    private int higher(int best, int server, long key) {
        return best < 0 || rendezvous.score(server, key) > rendezvous.score(best, key) ? server : best;
    }

    private int after(int index) {
        return index + 1 == connections.length ? 0 : index + 1;
    }

    // --- its connections --------------------------------------------------------------------------------------------

    /** A connection to a server was begun. */
    void opened(int index) {
        connections[index]++;
    }

    /** A connection to a server is over, or could not be had. */
    public void closed(int index) {
        connections[index]--;
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
