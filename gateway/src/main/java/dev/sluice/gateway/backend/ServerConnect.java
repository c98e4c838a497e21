package dev.sluice.gateway.backend;

import dev.sluice.gateway.metrics.Metric.ServerHandshake;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.memory.Slab;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.PendingConnect;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.failure.EndReason;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connect to one server of a backend: TCP or a Unix socket, the PROXY header in clear, then TLS where the backend has
 * it. None of a client's bytes are sent before it is reported as connected. Confined to its loop.
 */
final class ServerConnect implements ConnectHandler, HandshakeHandler, ConnectionHandler {
    /** Failures that say nothing about the server: this machine, or this loop, is short of something. */
    private static final Set<EndReason> OUR_OWN = EnumSet.of(
            EndReason.DESCRIPTOR_LIMIT,
            EndReason.PORTS_EXHAUSTED,
            EndReason.NO_KERNEL_MEMORY,
            EndReason.LOOP_CLOSED,
            EndReason.INTERNAL_ERROR,
            EndReason.NO_BUFFERS,
            EndReason.UNRESOLVED,
            EndReason.CONNECT_ABANDONED);

    private final EventLoop loop;
    private final BackendPool pool;
    private final PoolServer server;
    private final @Nullable TlsContext tls;
    private final LoopCounters counters;
    private final Outcome outcome;
    private long timeoutMillis;
    private @Nullable PendingConnect connecting;
    private @Nullable Connection handshaking;
    private @Nullable TlsSession offered;
    private boolean reported;

    /** A caller that waits for a connection, and hears of one of the first two outcomes, once, on the loop. */
    interface Outcome {
        /** Takes the connection: sets its handler, or aborts it. TLS is left out when the connection is not wanted. */
        void onServerConnected(Connection connection);

        /**
         * Not connected, and nothing is left of it.
         *
         * @param side {@link EndSide#BACKEND_HANDSHAKE} for a TLS handshake that failed, else {@link EndSide#BACKEND}
         */
        void onServerFailed(EndSide side, ConnectionFailure failure);

        /** Returns true while the connection is wanted; if not, it is reported as it is. */
        boolean isWanted();

        /** Returns the PROXY header, which is sent before the first byte; empty: none. */
        byte[] header();

        /** Returns the time, as {@link System#nanoTime()}. */
        long nanoTime();
    }

    /**
     * Makes a connect that has not started.
     *
     * @param tls the context of TLS with the server; null: without TLS
     */
    ServerConnect(
            EventLoop loop,
            BackendPool pool,
            PoolServer server,
            @Nullable TlsContext tls,
            LoopCounters counters,
            Outcome outcome) {
        this.loop = loop;
        this.pool = pool;
        this.server = server;
        this.tls = tls;
        this.counters = counters;
        this.outcome = outcome;
    }

    /** Makes the failure of a server without an address; "" for all of them. */
    static ConnectionFailure unresolved(String server) {
        return failure(EndReason.UNRESOLVED, server);
    }

    /** Makes the failure of a backend whose servers are all drained or disabled. */
    static ConnectionFailure disabled() {
        return failure(EndReason.SERVERS_DISABLED, "");
    }

    private static ConnectionFailure failure(EndReason reason, String cause) {
        return new ConnectionFailure(reason, reason.describe(cause));
    }

    /** True for a failure that says something about the server, or what lies before it. */
    static boolean isServersFault(ConnectionFailure failure) {
        return !OUR_OWN.contains(failure.reason());
    }

    /**
     * Starts to connect; the outcome is reported later, never from inside this call.
     *
     * @param limitMillis the time that the connect may take, and the handshake as much again
     */
    void start(long limitMillis) {
        timeoutMillis = limitMillis;
        SocketAddress address = server.address();
        if (address == null) {
            loop.execute(() -> failed(unresolved(server.name())));
        } else {
            connecting = loop.connect(address, timeoutMillis, this);
        }
    }

    /**
     * Gives up: a failure with the reason {@link EndReason#CONNECT_ABANDONED} is reported from inside this call. No
     * effect when it is over.
     */
    void abandon() {
        if (handshaking != null) {
            failed(failure(EndReason.CONNECT_ABANDONED, "in the TLS handshake with " + server.name()));
            handshaking.abort();
        } else if (connecting != null) {
            connecting.abandon();
        }
    }

    @Override
    public void onConnected(TcpConnection connection) {
        connection.handler(this);
        if (!outcome.isWanted()) {
            connected(connection);
            return;
        }
        if (!pool.config().keepAlive().isZero()) {
            connection.keepAlive(pool.config().keepAlive());
        }
        byte[] header = outcome.header();
        if (header.length > 0 && !Buffers.send(connection, header)) {
            connection.abort();
            failed(failure(EndReason.NO_BUFFERS, "for the PROXY header"));
            return;
        }
        if (tls == null) {
            connected(connection);
        } else {
            handshake(connection, tls);
        }
    }

    private void handshake(TcpConnection connection, TlsContext context) {
        String name = Objects.requireNonNull(pool.config().tls()).nameOf(Objects.requireNonNull(server.address()));
        offered = server.session().offer();
        DirectEngine engine = DirectEngine.client(
                context, name, offered, server.session().keeper(outcome.nanoTime()), loop.loopCrypto());
        TlsConnection secured = connection.startTls(engine, timeoutMillis, this);
        secured.handler(this);
        handshaking = secured;
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        server.countHandshake(info.resumed() ? ServerHandshake.RESUMED : ServerHandshake.FULL, counters);
        if (offered != null && !info.resumed()) {
            server.session().refused(offered);
        }
        connected(connection);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        failed(EndSide.BACKEND_HANDSHAKE, failure);
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        failed(failure);
    }

    /**
     * Reports the connection. Until the callee has taken it, its failure is reported instead, also when the callee
     * throws.
     */
    private void connected(Connection connection) {
        handshaking = null;
        outcome.onServerConnected(connection);
        reported = true;
    }

    private void failed(ConnectionFailure failure) {
        failed(EndSide.BACKEND, failure);
    }

    private void failed(EndSide side, ConnectionFailure failure) {
        if (!reported) {
            reported = true;
            outcome.onServerFailed(side, failure);
        }
    }

    // --- the connection, until the callee takes it ------------------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        buffer.release();
        throw new IllegalStateException("bytes delivered while receiving was off, server=" + server.address());
    }

    @Override
    public void onEndOfStream(Connection connection) {
        // Receiving is off, so this is reported again to whoever takes the connection.
    }

    @Override
    public void onSent(Connection connection) {
        // The header, or the handshake's own bytes: nothing waits for them here.
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        failed(failure);
    }

    @Override
    public void onClosed(Connection connection) {
        failed(failure(EndReason.LOOP_CLOSED, server.name()));
    }
}
