package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;

/**
 * Connects to one of a backend's servers: the one whose turn it is, and, when that fails, each of the others once. Nothing
 * has been sent yet then, so that trying again cannot repeat anything.
 */
final class BackendConnector implements ConnectHandler {
    private final EventLoop loop;
    private final BackendPool pool;
    private final LoopCounters counters;
    private final Outcome outcome;
    private int server;
    private int attempts;

    /** Told how it ended, once, on the loop. */
    interface Outcome {
        /**
         * Connected.
         *
         * @param server which one: to be given back to {@link BackendPool#closed} when the connection is over
         */
        void onBackendConnected(TcpConnection backend, int server);

        /** No server took the connection; this is what the last one said. */
        void onBackendUnavailable(ConnectionFailure failure);

        /** Whether anybody still wants the connection; asked before another server is tried. */
        boolean isBackendWanted();
    }

    BackendConnector(EventLoop loop, BackendPool pool, LoopCounters counters, Outcome outcome) {
        this.loop = loop;
        this.pool = pool;
        this.counters = counters;
        this.outcome = outcome;
    }

    void start() {
        server = pool.choose();
        attempt();
    }

    private void attempt() {
        attempts++;
        pool.opened(server);
        loop.connect(pool.server(server), pool.config().connectTimeout().toMillis(), this);
    }

    @Override
    public void onConnected(TcpConnection connection) {
        counters.increment(Counter.BACKEND_CONNECTS);
        outcome.onBackendConnected(connection, server);
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        counters.increment(Counter.BACKEND_CONNECT_FAILURES);
        pool.closed(server);
        if (attempts < pool.size() && outcome.isBackendWanted()) {
            server = pool.after(server);
            attempt();
        } else {
            outcome.onBackendUnavailable(failure);
        }
    }
}
