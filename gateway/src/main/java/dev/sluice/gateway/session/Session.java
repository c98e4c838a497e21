package dev.sluice.gateway.session;

import dev.sluice.gateway.accesslog.ConnectionRecord;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.Direction;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.net.Connection;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client connection from accept to end: who the client is, the phase it is in, and why it ended. Confined to its
 * loop.
 *
 * <pre>
 *   accepted ──▶ PROXY HEADER ──▶ HELLO ──▶ HANDSHAKE ──▶ CONNECT ──▶ RELAY ──▶ over
 *       │             │           ▲   │       │     ▲        │                   ▲
 *       └─────────────┼───────────┘   │       │     └────────┤ no server         │
 *        no proxy     │ refused       │       │   handshake  │                   │
 *                     │               │       │   under way  ▼                   │
 *                     └───────────────┴───────┴─────────▶ CLOSING ───────────────┘
 *                                  refused  no route
 * </pre>
 *
 * <ul>
 *   <li>PROXY HEADER, only behind proxies: until it is known for whom the connection is.
 *   <li>HELLO: until the ClientHello is there and the handshake is admitted.
 *   <li>REDIRECT in place of HELLO and all that follows, where the listener speaks plain HTTP.
 *   <li>PEEK before HELLO where routes pass TLS through, or followed by CONNECT: a {@link PeekPhase}.
 *   <li>Plain HTTP in place of a ClientHello is answered by a {@link PlainHttpPhase}, which CLOSING follows.
 *   <li>HANDSHAKE: until the handshake is complete, or early data may go ahead of its end.
 *   <li>FIRST DATA between HANDSHAKE and CONNECT, where the backend is connected on data: until the client's first
 *       byte.
 *   <li>CONNECT: until a server of the backend is connected.
 *   <li>RELAY: until both connections are closed.
 *   <li>CLOSING: until the client's connection is closed, without a backend's.
 * </ul>
 *
 * Each is a {@link SessionPhase}, which alone names its successor and is garbage from then on: a session that is
 * relayed consists of this object and its {@link RelayPhase}. When the client's connection closes in any phase before
 * RELAY, the session is over, in CONNECT as soon as the connect has been given up.
 *
 * <p>A backend with {@code connect: at-hello}, and early data that may go ahead ({@link EarlyDataForwarder}), start
 * CONNECT, and RELAY for what the backend sends, before the handshake is complete. The {@link HandshakePhase} then
 * lives on until the client joins the relay; the current phase hears how the handshake ends. When no server can be
 * reached meanwhile, the session returns to HANDSHAKE and connects again when that is complete.
 *
 * <p>Receiving from the client is off between HELLO and RELAY, but for FIRST DATA: what it sends early waits in the
 * kernel and in one TLS ring. Until the client is relayed the session holds its {@link ServedListener}, or its backend
 * from FIRST DATA on.
 *
 * <p>The session is over when nothing of it is held any more: the client's connection is closed, and the backend's is
 * closed, was never asked for, or could not be had. Then {@link #over} gives back what was counted, once, also when the
 * last phase throws. The first reason for the end counts.
 */
final class Session extends SessionTable.Entry {
    private final GatewayLoop loop;
    private final ServedListener listener;
    private final TcpConnection socket;
    private final @Nullable ConnectionRecord record;
    private @Nullable ProxyHeader proxied;
    private SessionPhase phase;
    private @Nullable SessionEnd end;
    private boolean countedByAddress;
    private String fingerprint = "";

    /**
     * Makes a session of a connection that was let in.
     *
     * @param counted true when it counts among the connections from its address; else the client is not known yet
     * @param record what the access log is to report of it; null: nothing
     */
    Session(
            GatewayLoop loop,
            ServedListener listener,
            TcpConnection socket,
            boolean counted,
            @Nullable ConnectionRecord record) {
        this.loop = loop;
        this.listener = listener;
        this.socket = socket;
        this.countedByAddress = counted;
        this.record = record;
        // Whatever fails before the first phase, the end of the connection gives back what was counted.
        this.phase = new ClosingPhase(this, socket);
    }

    /** Starts the first phase. A client that is not known yet is expected to be a proxy. */
    void begin() {
        phase.attach();
        OpeningPhase first = listener.acceptPolicy().proxiedFrom().isEmpty()
                ? listener.firstPhase(this)
                : new ProxyHeaderPhase(this, !countedByAddress);
        listener.hold();
        enter(first);
        first.begin();
    }

    // --- the client -------------------------------------------------------------------------------------------------

    GatewayLoop loop() {
        return loop;
    }

    ServedListener listener() {
        return listener;
    }

    /** Returns the client's connection without TLS. */
    TcpConnection socket() {
        return socket;
    }

    /** Returns what the access log is to report; null: nothing. */
    @Nullable
    ConnectionRecord record() {
        return record;
    }

    /** Returns the client's address, as its socket has it or the proxy before it reports it. */
    InetSocketAddress peer() {
        InetSocketAddress source = proxied == null ? null : proxied.source();
        return source != null ? source : (InetSocketAddress) socket.peerAddress();
    }

    /** Returns the address that the client connected to. */
    InetSocketAddress destination() {
        InetSocketAddress reported = proxied == null ? null : proxied.destination();
        if (reported != null) {
            return reported;
        }
        InetSocketAddress bound = listener.address();
        return bound.getAddress().isAnyLocalAddress() ? (InetSocketAddress) socket.localAddress() : bound;
    }

    /** Notes for whom a proxy connects. The client's TLS with the proxy is left out: it is not its TLS with us. */
    void proxied(ProxyHeader header) {
        proxied = new ProxyHeader(header.source(), header.destination(), TlsFacts.NONE);
        if (record != null) {
            record.peer(peer());
        }
    }

    /**
     * Notes the client's fingerprint.
     *
     * @param made null: its ClientHello is malformed
     */
    void fingerprint(@Nullable String made) {
        fingerprint = made == null ? "" : made;
        if (record != null) {
            record.fingerprint(fingerprint);
        }
    }

    /** Returns the client's fingerprint; "" when none was made. */
    String fingerprint() {
        return fingerprint;
    }

    /** Notes that the session counts among the connections from its address from now on. */
    void countedByAddress() {
        countedByAddress = true;
    }

    boolean isCountedByAddress() {
        return countedByAddress;
    }

    // --- counting ---------------------------------------------------------------------------------------------------

    /** Counts bytes that go to the backend. */
    void countToBackend(int bytes) {
        loop.counters().add(Metric.CONNECTION_BYTES, Direction.TO_BACKEND, bytes);
        if (record != null) {
            record.fromClient(bytes);
        }
    }

    /** Counts bytes that go to the client. */
    void countToClient(int bytes) {
        loop.counters().add(Metric.CONNECTION_BYTES, Direction.TO_CLIENT, bytes);
        if (record != null) {
            record.toClient(bytes);
        }
    }

    /** Counts a handshake that will not be completed, for the reason for which the session ends. */
    void countFailedHandshake(SessionEnd why) {
        loop.counters().handshakeFailed(why.side(), why.reason());
    }

    // --- phases -----------------------------------------------------------------------------------------------------

    /** Returns the current phase. */
    SessionPhase phase() {
        return phase;
    }

    /** Enters a phase, which becomes the handler of the connections. Called by the phase before it. */
    void enter(SessionPhase next) {
        phase = next;
        next.attach();
    }

    /** Starts a timer that ends the session, unless it is cancelled because the client has sent something. */
    Timer abortWhenSilent() {
        Duration limit = loop.limits().handshakeTimeout();
        return loop.eventLoop().schedule(limit.toMillis(), () -> abort(SessionEnd.silent(limit)));
    }

    void onSweep() {
        phase.onSweep();
    }

    // --- the end ----------------------------------------------------------------------------------------------------

    /** Notes why the session ends; the first reason counts. */
    void endWith(SessionEnd why) {
        if (end == null) {
            end = why;
        }
    }

    /** Returns true once there is a reason to end. */
    boolean isEnding() {
        return end != null;
    }

    /** Ends everything at once, with a reset. */
    void abort(SessionEnd why) {
        endWith(why);
        phase.abort();
    }

    /**
     * Resets a client whose handshake is not to start: nothing is spent on it, and it knows at once. The phase has
     * given back what it held.
     */
    void refuse(SessionEnd why) {
        endWith(why);
        enter(new ClosingPhase(this, socket));
        socket.abort();
        FlightReport.refused(peer(), why);
    }

    /** Ends the current phase, and closes the client's connection behind what is queued. */
    void close(SessionEnd why, Connection client) {
        endWith(why);
        SessionPhase last = phase;
        enter(new ClosingPhase(this, client));
        try {
            last.release(why);
        } finally {
            client.close();
        }
    }

    /** Gives back what the session holds, and counts its end. Called once, by its last phase. */
    void over() {
        SessionEnd why = end == null ? SessionEnd.BROKEN : end;
        try {
            phase.release(why);
        } finally {
            loop.onSessionOver(this, why);
        }
    }
}
