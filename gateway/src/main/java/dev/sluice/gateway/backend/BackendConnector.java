package dev.sluice.gateway.backend;

import dev.sluice.gateway.admission.AddressKey;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import java.net.InetAddress;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A connect to one of a backend's servers: the one that the pool chooses and, when that fails, each of the others once,
 * or as many of them as the configuration allows. None of the client's bytes has been sent by then, so that a retry
 * repeats nothing. Confined to its loop.
 */
public final class BackendConnector implements ServerConnect.Outcome {
    private final EventLoop loop;
    private final BackendPool pool;
    private final LoopCounters counters;
    private final Outcome outcome;
    private @Nullable ServerConnect connect;
    private @Nullable BitSet tried;
    /** The servers that this connect chooses from, from its start to its end. */
    private final PoolServers servers;

    private int server;

    /** A session that waits for a connection, and hears of the outcome once, on the loop. */
    public interface Outcome {
        /**
         * Takes the connection, whose handler it sets.
         *
         * @param server the one connected to; {@link PoolServer#closed} has to be called when the connection is over
         */
        void onBackendConnected(Connection backend, PoolServer server);

        /**
         * No server took the connection.
         *
         * @param side {@link EndSide#BACKEND} or {@link EndSide#BACKEND_HANDSHAKE}
         * @param failure of the last one
         */
        void onBackendUnavailable(EndSide side, ConnectionFailure failure);

        /** Returns true while the connection is wanted; asked before another server is tried. */
        boolean isBackendWanted();

        /** Returns the PROXY header, which is sent before the first byte; empty: none. */
        byte[] header();

        /** Returns the client's address. */
        InetAddress clientAddress();

        /** Returns the time, as {@link System#nanoTime()}. */
        long nanoTime();
    }

    public BackendConnector(EventLoop loop, BackendPool pool, LoopCounters counters, Outcome outcome) {
        this.loop = loop;
        this.pool = pool;
        this.servers = pool.servers();
        this.counters = counters;
        this.outcome = outcome;
    }

    /** Starts to connect; the outcome is reported later, never from inside this call. */
    public void start() {
        int chosen = choose();
        if (chosen == PoolServers.NONE) {
            // Later, as every outcome: whoever has called is not ready for it yet.
            ConnectionFailure why = servers.noServer();
            loop.execute(() -> outcome.onBackendUnavailable(EndSide.BACKEND, why));
        } else {
            connect(chosen);
        }
    }

    private int choose() {
        // Decoding an address allocates.
        long key = pool.needsKey() ? AddressKey.of(outcome.clientAddress()) : 0;
        return servers.choose(outcome.nanoTime(), key, tried);
    }

    private void connect(int chosen) {
        server = chosen;
        current().opened();
        connect = new ServerConnect(loop, pool, current(), pool.target().tls(), counters, this);
        connect.start(pool.config().connectTimeout().toMillis());
    }

    /** Gives up: the outcome is reported from inside this call, unless it is on its way. */
    public void abandon() {
        if (connect != null) {
            connect.abandon();
        }
    }

    private PoolServer current() {
        return servers.get(server);
    }

    @Override
    public void onServerConnected(Connection connection) {
        current().count(Metric.BACKEND_CONNECTS, counters);
        servers.health().connected(server, outcome.nanoTime());
        outcome.onBackendConnected(connection, current());
    }

    @Override
    public void onServerFailed(EndSide side, ConnectionFailure failure) {
        if (failure.reason() != EndReason.CONNECT_ABANDONED) {
            current().count(Metric.BACKEND_CONNECT_FAILURES, counters);
        }
        current().closed();
        if (ServerConnect.isServersFault(failure)
                && servers.health().connectFailed(server, outcome.nanoTime(), failure.message())) {
            current().count(Metric.BACKEND_EJECTIONS, counters);
        }
        boolean another = failure.fault() != Fault.OURS && mayTryAnother() && outcome.isBackendWanted();
        int other = another ? choose() : PoolServers.NONE;
        if (other == PoolServers.NONE) {
            outcome.onBackendUnavailable(side, failure);
        } else {
            servers.get(other).count(Metric.BACKEND_RETRIES, counters);
            connect(other);
        }
    }

    private boolean mayTryAnother() {
        BitSet failed = tried;
        if (failed == null) {
            failed = new BitSet(servers.size());
            tried = failed;
        }
        failed.set(server);
        int attempts = failed.cardinality();
        return attempts < servers.size() && attempts <= pool.config().retries();
    }

    @Override
    public boolean isWanted() {
        return outcome.isBackendWanted();
    }

    @Override
    public byte[] header() {
        return outcome.header();
    }

    @Override
    public long nanoTime() {
        return outcome.nanoTime();
    }
}
