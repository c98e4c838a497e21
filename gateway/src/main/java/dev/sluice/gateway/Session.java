package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.accesslog.ConnectionRecord;
import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.DirectEngine;
import dev.sluice.tls.EarlyDataOffer;
import dev.sluice.tls.HandshakeInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One client connection from accept to end. Confined to its loop.
 *
 * <pre>
 *   newcomer ──▶ handshake ──▶ route ──▶ connect to the backend ──▶ relay ──▶ over
 * </pre>
 *
 * With early data that may go ahead, route and connect come before the end of the handshake: see {@link EarlyPhase}.
 *
 * <p>It is over when nothing of it is held any more: the client's connection is closed, and the backend's is closed, was
 * never asked for, or could not be had. Until the relay starts, receiving from the client is off, so that what it sends
 * early waits in the kernel and in one TLS ring, not here.
 */
final class Session implements ConnectionHandler, BackendConnector.Outcome, Relay.Owner {
    /** Where it stands in {@link SessionTable}. */
    int tableIndex;

    private final GatewayLoop loop;
    private final ServedListener listener;
    private final TcpConnection socket;
    /** Only where it will have a line in the access log. */
    private final @Nullable ConnectionRecord record;
    /** Only where a proxy is before the gateway. */
    private @Nullable ProxyHeader proxied;

    private Connection client;
    private TlsFacts facts = TlsFacts.NONE;
    private @Nullable BackendPool pool;
    /** As long as it connects. */
    private @Nullable BackendConnector connector;

    private @Nullable Relay relay;

    /** Only where the listener takes early data, until the relay has it. */
    private @Nullable EarlyPhase early;

    private @Nullable SessionEnd end;
    private int server;
    private byte idleSweeps;
    /** Complete, failed, or never to begin. */
    private boolean handshakeOver;
    /** Whether it takes a place among the handshakes in flight. */
    private boolean inFlight;

    /** Whether it may need something of the listener yet: to connect to its backend. */
    private boolean usesListener;

    private boolean countedByAddress;
    private boolean clientClosed;
    private boolean backendOver = true;

    /**
     * Makes one.
     *
     * @param counted whether it counts among the connections from its address; else it has yet to be known
     * @param record what the access log is to know of it; null: nothing
     */
    Session(
            GatewayLoop loop,
            ServedListener listener,
            TcpConnection socket,
            boolean counted,
            @Nullable ConnectionRecord record) {
        this.record = record;
        this.loop = loop;
        this.listener = listener;
        this.socket = socket;
        this.client = socket;
        this.countedByAddress = counted;
    }

    /** Where the client is: as its socket says, or the proxy before it. */
    InetSocketAddress peer() {
        InetSocketAddress source = proxied == null ? null : proxied.source();
        return source != null ? source : (InetSocketAddress) socket.peerAddress();
    }

    /** What the access log is to know; null: nothing. */
    @Nullable
    ConnectionRecord record() {
        return record;
    }

    ServedListener listener() {
        return listener;
    }

    /** A proxy has said for whom it connects. What it says of TLS is not its client's with us. */
    void proxied(ProxyHeader header) {
        proxied = new ProxyHeader(header.source(), header.destination(), TlsFacts.NONE);
        if (record != null) {
            record.peer(peer());
        }
    }

    /** It counts among the connections from its address from now on. */
    void countedByAddress() {
        countedByAddress = true;
    }

    boolean isCountedByAddress() {
        return countedByAddress;
    }

    // --- handshake --------------------------------------------------------------------------------------------------

    /**
     * Begins the handshake.
     *
     * @param hello what the client has sent, now the session's
     * @param newcomer told of the engine, and of the outcome, and tells {@link #handshakeComplete} or {@link #handshakeFailed}
     */
    void begin(Slab hello, long timeoutMillis, Newcomer newcomer) {
        inFlight = true;
        usesListener = true;
        listener.waitingBegins();
        // First of all somebody who hears of the end, should the next line fail.
        socket.handler(this);
        DirectEngine engine;
        try {
            engine = DirectEngine.server(listener.context(), loop.eventLoop().loopCrypto());
        } catch (RuntimeException | Error e) {
            hello.release();
            endWith(SessionEnd.BROKEN);
            socket.abort();
            throw e;
        }
        newcomer.began(engine);
        early = listener.earlyData() == EarlyDataMode.OFF ? null : new EarlyPhase(this, listener, newcomer);
        TlsConnection tls = TlsConnection.start(socket, engine, timeoutMillis, early == null ? newcomer : early, hello);
        tls.handler(this);
        client = tls;
    }

    /** The handshake is not let begin. */
    void refuse(SessionEnd why) {
        handshakeOver = true;
        FlightReport.refused(peer(), why);
        abort(why);
    }

    /** The client has ended its side before it sent anything. */
    void onNewcomerEnded() {
        endWith(SessionEnd.CLOSED_BEFORE_HANDSHAKE);
        client.close();
    }

    /** The connection broke before the handshake could begin. */
    void onNewcomerFailed(ConnectionFailure failure) {
        endWith(SessionEnd.handshake(failure));
    }

    void handshakeComplete(HandshakeFacts handshake) {
        HandshakeInfo info = handshake.info();
        handshakeIsOver();
        loop.counters().handshakeComplete(handshake);
        if (record != null) {
            record.handshake(info, handshake.queueMicros());
        }
        FlightReport.handshake(this, handshake);
        facts = TlsFacts.of(info);
        if (relay != null) {
            joinClient(relay);
        } else if (pool == null) {
            connect(info);
        }
    }

    private void connect(HandshakeInfo info) {
        BackendPool chosen = listener.router().route(info.serverName(), info.alpn());
        if (chosen == null) {
            endWith(SessionEnd.noRoute(info.serverName(), info.alpn()));
            client.close();
            return;
        }
        connectTo(chosen);
    }

    private void connectTo(BackendPool chosen) {
        pool = chosen;
        backendOver = false;
        if (record != null) {
            record.backend(chosen.config().name());
        }
        connector = new BackendConnector(loop.eventLoop(), chosen, loop.counters(), this);
        try {
            connector.start();
        } catch (Throwable t) {
            backendOver = true; // nobody will tell of an outcome
            throw t;
        }
    }

    /** @param asked the server name that the client has asked for; "" when that is not known */
    void handshakeFailed(ConnectionFailure failure, String asked) {
        if (record != null) {
            record.serverName(asked);
        }
        FlightReport.handshakeFailed(this, asked, failure);
        loop.counters().handshakeFailed(failure.fault(), failure.reason());
        handshakeIsOver();
        endWith(SessionEnd.handshake(failure));
        if (relay != null) {
            relay.abortBackend(); // nobody is there to have an answer
        }
    }

    // --- early data -------------------------------------------------------------------------------------------------

    /** Some will come, or none. */
    void onEarlyDataAccepted() {
        loop.counters().increment(Counter.EARLY_DATA_ACCEPTED);
    }

    /** See {@link EarlyDataPolicies#whenFresh}. */
    void whenFresh(EarlyDataOffer offer, Runnable then) {
        loop.earlyData().whenFresh(offer, loop.eventLoop(), then);
    }

    /** Some of it goes ahead; told once. */
    void onEarlyDataPassed() {
        loop.counters().increment(Counter.EARLY_DATA_FORWARDED);
    }

    /** Where early data goes ahead to; null as long as it is not connected, which this call begins. */
    @Nullable
    Connection backendForEarlyData(BackendPool chosen, HandshakeInfo info) {
        if (relay != null) {
            return relay.backend();
        }
        if (pool == null && end == null) {
            facts = TlsFacts.of(info).withEarlyData();
            connectTo(chosen);
        }
        return null;
    }

    /** Sends what came early; ends everything when there is no buffer left for it. */
    void sendToBackend(Connection backend, byte[] bytes) {
        onBytesToBackend(bytes.length);
        if (!Buffers.send(backend, bytes)) {
            abort(SessionEnd.NO_BUFFERS);
        }
    }

    /** From the end of the handshake on the client's bytes are its own. */
    private void joinClient(Relay joined) {
        EarlyPhase waited = early;
        early = null;
        if (waited != null) {
            waited.release(joined.backend());
        }
        joined.startClient();
    }

    private void handshakeIsOver() {
        handshakeOver = true;
        if (inFlight) {
            inFlight = false;
            loop.gate().handshakeOver();
        }
    }

    // --- the client's connection, until the relay takes over
    // ----------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        buffer.release();
        throw new IllegalStateException("bytes delivered while receiving was off, client=" + peer());
    }

    @Override
    public void onSent(Connection connection) {
        // The handshake's own bytes: nothing waits for them here.
    }

    @Override
    public void onEndOfStream(Connection connection) {
        // Receiving is off, so this is told again by the relay or not at all.
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        endWith(SessionEnd.client(failure));
    }

    @Override
    public void onClosed(Connection connection) {
        onClientClosed();
    }

    // --- the backend's connection
    // -------------------------------------------------------------------------------------

    @Override
    public boolean isBackendWanted() {
        return !clientClosed && end == null;
    }

    @Override
    public void onBackendConnected(Connection backend, int chosenServer) {
        connector = null;
        server = chosenServer;
        if (record != null) {
            record.server(pool().serverName(chosenServer));
        }
        facts = TlsFacts.NONE; // nobody asks again, and there are as many of them as connections
        leaveListener();
        if (!isBackendWanted()) {
            backend.handler(new Discarded(this));
            backend.abort();
            return;
        }
        Relay joined = new Relay(client, backend, loop.limits().heldBytes(), this);
        joined.attach();
        relay = joined;
        startRelay(joined);
    }

    private void startRelay(Relay started) {
        started.startBackend();
        if (handshakeOver) {
            joinClient(started);
        } else if (early != null) {
            early.pass();
        }
    }

    @Override
    public byte[] header() {
        return switch (pool().config().proxyProtocol()) {
            case NONE -> new byte[0];
            case V1 -> proxyHeader().toVersionOne();
            case V2 -> proxyHeader().toVersionTwo();
        };
    }

    @Override
    public InetAddress clientAddress() {
        return peer().getAddress();
    }

    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }

    private ProxyHeader proxyHeader() {
        InetSocketAddress told = proxied == null ? null : proxied.destination();
        if (told != null) {
            return new ProxyHeader(peer(), told, facts);
        }
        InetSocketAddress bound = listener.address();
        InetSocketAddress local =
                bound.getAddress().isAnyLocalAddress() ? (InetSocketAddress) socket.localAddress() : bound;
        return new ProxyHeader(peer(), local, facts);
    }

    @Override
    public void onBackendUnavailable(ConnectionFailure failure) {
        connector = null;
        backendOver = true;
        if (!handshakeOver && !clientClosed && early != null) {
            pool = null; // tried again when the handshake is complete
            early.waitForHandshake();
            return;
        }
        leaveListener();
        endWith(
                failure.reason().equals(ServerConnect.NO_BUFFERS)
                        ? SessionEnd.NO_BUFFERS
                        : SessionEnd.backend(pool().config().name(), failure));
        if (clientClosed) {
            over();
        } else {
            client.close();
        }
    }

    /** Takes the end of a backend connection that came too late for its client. */
    private record Discarded(Session session) implements ConnectionHandler {
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            buffer.release();
        }

        @Override
        public void onSent(Connection connection) {}

        @Override
        public void onEndOfStream(Connection connection) {}

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {}

        @Override
        public void onClosed(Connection connection) {
            session.onBackendClosed();
        }
    }

    // --- the relay
    // ----------------------------------------------------------------------------------------------------

    @Override
    public void onBytesToBackend(int count) {
        loop.counters().add(Counter.BYTES_TO_BACKEND, count);
        if (record != null) {
            record.fromClient(count);
        }
    }

    @Override
    public void onBytesToClient(int count) {
        loop.counters().add(Counter.BYTES_TO_CLIENT, count);
        if (record != null) {
            record.toClient(count);
        }
    }

    @Override
    public void onClientFailed(ConnectionFailure failure) {
        endWith(SessionEnd.client(failure));
    }

    @Override
    public void onBackendFailed(ConnectionFailure failure) {
        endWith(SessionEnd.backend(pool().config().name(), failure));
    }

    @Override
    public void onClientClosed() {
        clientClosed = true;
        if (backendOver) {
            over();
        } else if (connector != null) {
            connector.abandon(); // nobody is there to have an answer
        }
    }

    @Override
    public void onBackendClosed() {
        pool().closed(server);
        backendOver = true;
        if (clientClosed) {
            over();
        }
    }

    /** Called {@link GatewayLoop#SWEEPS_PER_IDLE_TIMEOUT} times per idle timeout. */
    void onSweep() {
        if (relay == null || relay.takeTouched()) {
            idleSweeps = 0;
        } else if (++idleSweeps > GatewayLoop.SWEEPS_PER_IDLE_TIMEOUT) {
            abort(SessionEnd.idleTimeout(loop.limits().idleTimeout()));
        }
    }

    // --- the end
    // ------------------------------------------------------------------------------------------------------

    /** Ends everything at once. */
    void abort(SessionEnd why) {
        endWith(why);
        if (relay != null) {
            relay.abort();
        } else {
            client.abort();
        }
    }

    private void endWith(SessionEnd why) {
        if (end == null) {
            end = why;
        }
    }

    private void leaveListener() {
        if (usesListener) {
            usesListener = false;
            listener.waitingEnds();
        }
    }

    private void over() {
        boolean complete = relay != null && relay.isComplete();
        SessionEnd told = end != null ? end : complete ? SessionEnd.COMPLETED : SessionEnd.BROKEN;
        try {
            leaveListener();
            if (early != null) {
                early.close();
            }
            if (!handshakeOver) {
                loop.counters().handshakeFailed(told.fault(), told.reason());
                handshakeIsOver();
            }
        } finally {
            loop.onSessionOver(this, told);
        }
    }

    private BackendPool pool() {
        return Objects.requireNonNull(pool);
    }
}
