package dev.sluice.gateway.session;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.backend.Buffers;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.plainhttp.HttpBegin;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.Timer;
import dev.sluice.tls.context.ClientHelloNames;
import dev.sluice.tls.context.ClientHelloRecords;
import dev.sluice.tls.failure.EndReason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first phase of clients of a listener that passes TLS through: the whole ClientHello is awaited, within the time
 * for a handshake, and its names decide. Its successor is the {@link ConnectPhase} of a connection that is passed, else
 * the {@link HelloPhase}.
 */
final class PeekPhase implements IdentifiedPhase {
    private static final SessionEnd TRUNCATED =
            new SessionEnd(EndSide.HANDSHAKE, EndReason.HANDSHAKE_TRUNCATED, EndReason.HANDSHAKE_TRUNCATED.describe());
    private static final SessionEnd TOO_SLOW = new SessionEnd(
            EndSide.HANDSHAKE,
            EndReason.HANDSHAKE_TIMEOUT,
            EndReason.HANDSHAKE_TIMEOUT.describe("no whole ClientHello"));
    private static final SessionEnd NOT_TLS =
            new SessionEnd(EndSide.HANDSHAKE, EndReason.NOT_TLS, EndReason.NOT_TLS.describe());

    /** A record with the fatal alert unrecognized_name: RFC 8446 section 6, RFC 6066 section 3. */
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    private final Session session;
    private final long startNanos;
    private byte[] bytes = {};
    private @Nullable Timer timer;

    /** Makes the phase; the time for the handshake runs from now on. */
    PeekPhase(Session session) {
        this.session = session;
        this.startNanos = session.loop().nanoTime();
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        timer = session.loop()
                .eventLoop()
                .schedule(session.loop().limits().handshakeTimeout().toMillis(), () -> session.abort(TOO_SLOW));
        session.socket().startReceiving();
    }

    @Override
    public void take(Slab first) {
        if (!look(first)) {
            begin();
        }
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        look(buffer);
    }

    /**
     * Looks at what has come.
     *
     * @param received the last of it; the phase's from now on
     * @return false when more has to come
     */
    private boolean look(Slab received) {
        int before = bytes.length;
        int taken = Math.min(received.length(), ClientHelloRecords.BYTES_MAX - before);
        bytes = Arrays.copyOf(bytes, before + taken);
        RawMemory.copy(received.payloadAddress(), bytes, before, taken);
        ClientHelloRecords hello = ClientHelloRecords.of(bytes);
        if (hello.state() == ClientHelloRecords.State.INCOMPLETE) {
            received.release();
            return false;
        }
        cancelTimer();
        session.socket().stopReceiving();
        if (before == 0) {
            decide(hello, received);
        } else {
            joined(hello, received, taken);
        }
        return true;
    }

    /** Puts a ClientHello in pieces into one buffer, as if it had come in one. */
    private void joined(ClientHelloRecords hello, Slab last, int taken) {
        boolean fits = taken == last.length();
        last.release();
        Slab whole = fits ? buffer(bytes) : null;
        if (whole != null) {
            decide(hello, whole);
        } else {
            session.close(fits ? SessionEnd.NO_BUFFERS : NOT_TLS, session.socket());
        }
    }

    /** Returns a buffer with these bytes; null when the loop has none left. */
    private @Nullable Slab buffer(byte[] content) {
        Slab slab = session.loop().eventLoop().buffers().lease();
        if (slab != null) {
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + content.length);
            RawMemory.copy(content, 0, slab.payloadAddress(), content.length);
        }
        return slab;
    }

    private void decide(ClientHelloRecords hello, Slab first) {
        byte[] record = hello.record();
        if (record == null) {
            terminate(first, NOT_TLS);
            return;
        }
        Slab scratch = buffer(record);
        if (scratch == null) {
            first.release();
            session.close(SessionEnd.NO_BUFFERS, session.socket());
            return;
        }
        ClientHelloNames names = ClientHelloNames.of(scratch.payloadAddress(), scratch.length());
        scratch.release();
        Router.Route route = session.listener().passthrough(names);
        if (route == null) {
            terminate(first, SessionEnd.noRoute(names.serverName(), String.join(",", names.alpn())));
        } else {
            pass(route, names, first);
        }
    }

    /**
     * Has the gateway answer the handshake.
     *
     * @param otherwise the end of the client where the listener has no certificate
     */
    private void terminate(Slab first, SessionEnd otherwise) {
        ServedListener listener = session.listener();
        boolean answered = listener.acceptPolicy().answersHttp()
                && HttpBegin.of(first.payloadAddress(), first.length()) != HttpBegin.NO;
        if (listener.terminates() || answered) {
            HelloPhase successor = new HelloPhase(session, startNanos);
            session.enter(successor);
            successor.take(first);
        } else {
            first.release();
            Buffers.send(session.socket(), UNRECOGNIZED_NAME); // without a buffer the client sees the end alone
            session.close(otherwise, session.socket());
        }
    }

    private void pass(Router.Route route, ClientHelloNames names, Slab first) {
        SessionEnd refusal = session.loop().gate().refusal(session.peer().getAddress());
        if (refusal != null) {
            first.release();
            session.listener().release();
            session.refuse(refusal);
            return;
        }
        session.loop().counters().increment(Metric.PASSTHROUGH_CONNECTIONS);
        if (session.record() != null) {
            session.record().serverName(names.serverName());
        }
        PassthroughHello hello = new PassthroughHello(session, facts(route, names), first);
        ConnectPhase successor = new ConnectPhase(session, session.socket(), hello, route.pool());
        session.enter(successor);
        successor.begin();
    }

    /** The protocol is known where the client offers one, or the route is for one; the server may choose none. */
    private static TlsFacts facts(Router.Route route, ClientHelloNames names) {
        String alpn = names.alpn().size() == 1
                ? names.alpn().getFirst()
                : route.config().alpn();
        return TlsFacts.ofHello(names.serverName(), alpn);
    }

    @Override
    public void onEndOfStream(Connection connection) {
        session.close(bytes.length == 0 ? SessionEnd.CLOSED_BEFORE_HANDSHAKE : TRUNCATED, connection);
    }

    @Override
    public void release(SessionEnd end) {
        cancelTimer();
        session.listener().release();
        session.countFailedHandshake(end);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
