package dev.sluice.gateway;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.ClientPreference;
import dev.sluice.tls.DirectEngine;
import dev.sluice.tls.HandshakeInfo;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client from accept until its handshake is over. While nothing has come of it, it costs a socket; then a buffer of the
 * loop too, which holds its ClientHello. What has come in the first receive decides whether it is believed to resume: of a
 * ClientHello in pieces, it is not. In a storm that is hardly ever so, for the loop receives late then.
 */
final class Newcomer extends Candidate implements ConnectionHandler, HandshakeHandler {
    private final GatewayLoop loop;
    private final ServedListener listener;
    private final TcpConnection socket;
    private final Session session;
    private final InetAddress address;
    private final long acceptedNanos;
    private @Nullable Timer timer;
    private @Nullable Slab hello;
    private boolean waits = true;
    private long helloNanos;
    private long queueNanos;
    /** Once the handshake has begun. */
    private @Nullable DirectEngine engine;

    Newcomer(GatewayLoop loop, ServedListener listener, TcpConnection socket, Session session, InetAddress address) {
        this.loop = loop;
        this.listener = listener;
        this.socket = socket;
        this.session = session;
        this.address = address;
        this.acceptedNanos = loop.nanoTime();
        listener.waitingBegins();
    }

    /** Waits for the ClientHello. */
    void start() {
        socket.handler(this);
        timer = loop.eventLoop().schedule(loop.limits().handshakeTimeout().toMillis(), this::timedOut);
        socket.startReceiving();
    }

    /** Has the begin of the ClientHello, which came with what was read before; receiving is off. */
    void start(Slab first) {
        socket.handler(this);
        onReceived(socket, first);
    }

    private void timedOut() {
        timer = null;
        session.abort(SessionEnd.silent(loop.limits().handshakeTimeout()));
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (hello != null) {
            buffer.release();
            throw new IllegalStateException("bytes delivered while receiving was off, client=" + session.peer());
        }
        socket.stopReceiving();
        cancelTimer();
        hello = buffer;
        helloNanos = loop.nanoTime();
        loop.counters().clientHello(ClientPreference.of(buffer.payloadAddress(), buffer.length()));
        loop.gate().arrived(this);
    }

    // --- what the gate asks and decides -----------------------------------------------------------------------------

    @Override
    InetAddress address() {
        return address;
    }

    @Override
    boolean offersTicket() {
        Slab bytes = hello;
        return bytes != null && listener.context().isTicketKnown(bytes.payloadAddress(), bytes.length());
    }

    @Override
    void begin() {
        Slab bytes = hello;
        hello = null;
        queueNanos = loop.nanoTime() - helloNanos;
        try {
            if (bytes != null) {
                session.begin(bytes, timeLeftMillis(), this);
            }
        } finally {
            waitsNoMore();
        }
    }

    /** The handshake begins with this engine, which is the session's. */
    void began(DirectEngine begun) {
        engine = begun;
    }

    private void waitsNoMore() {
        if (waits) {
            waits = false;
            listener.waitingEnds();
        }
    }

    private long timeLeftMillis() {
        long spent = TimeUnit.NANOSECONDS.toMillis(loop.nanoTime() - acceptedNanos);
        return Math.max(1, loop.limits().handshakeTimeout().toMillis() - spent);
    }

    /** By RST: nothing is spent on a client that may come again, and it knows at once. */
    @Override
    void refuse(SessionEnd why) {
        session.refuse(why);
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        if (hasTicket) {
            loop.gate().ticketTold(resumes, info.resumed());
        }
        String host = listener.hostOf(info.serverName());
        session.handshakeComplete(new HandshakeFacts(
                info, host, engine == null ? null : engine.detached(), TimeUnit.NANOSECONDS.toMicros(queueNanos)));
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        session.handshakeFailed(failure, engine == null ? "" : engine.serverName());
    }

    // --- its end, before the handshake could begin ------------------------------------------------------------------

    @Override
    public void onEndOfStream(Connection connection) {
        session.onNewcomerEnded();
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        session.onNewcomerFailed(failure);
    }

    @Override
    public void onClosed(Connection connection) {
        cancelTimer();
        waitsNoMore();
        loop.gate().left(this);
        if (hello != null) {
            hello.release();
            hello = null;
        }
        session.onClosed(connection);
    }

    @Override
    public void onSent(Connection connection) {
        // Nothing is sent.
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
