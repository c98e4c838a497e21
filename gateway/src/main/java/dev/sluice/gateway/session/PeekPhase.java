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
import dev.sluice.tls.context.ClientHelloAssembly;
import dev.sluice.tls.context.ClientHelloAssembly.State;
import dev.sluice.tls.context.ClientHelloNames;
import dev.sluice.tls.context.Ja4;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The first phase of clients of a listener that passes TLS through or makes fingerprints, and of all others while
 * challenges of ACME servers are pending: the whole ClientHello is awaited, within the time for a handshake, and its
 * names decide. Its successor is the {@link ConnectPhase} of a connection that is passed, else the {@link HelloPhase}.
 *
 * <p>A ClientHello that comes in one piece is read where it lies. One in pieces is kept on the heap, so that slow
 * clients hold none of the loop's buffers.
 */
final class PeekPhase implements IdentifiedPhase {
    private static final SessionEnd TRUNCATED = ended(EndReason.HANDSHAKE_TRUNCATED, "");
    private static final SessionEnd TOO_SLOW = ended(EndReason.HANDSHAKE_TIMEOUT, "no whole ClientHello");
    private static final SessionEnd NOT_TLS = ended(EndReason.NOT_TLS, "");
    private static final SessionEnd TOO_LONG =
            ended(EndReason.MESSAGE_TOO_LONG, "a ClientHello over " + ClientHelloAssembly.BYTES_MAX + " bytes");
    private static final SessionEnd TOO_MUCH = ended(
            EndReason.MESSAGE_TOO_LONG,
            "a ClientHello in pieces, over " + BufferGeometry.PAYLOAD + " bytes with what stands behind it");

    private static final byte ALERT_RECORD = 21;
    private static final byte FATAL = 2;

    /** The most protocols that are logged. */
    private static final int LOGGED_MAX = 8;

    private final Session session;
    private final long startNanos;
    private @Nullable ClientHelloAssembly pieces;
    private @Nullable Timer timer;

    private static SessionEnd ended(EndReason reason, String cause) {
        return new SessionEnd(EndSide.HANDSHAKE, reason, cause.isEmpty() ? reason.describe() : reason.describe(cause));
    }

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
        ClientHelloNames names =
                pieces == null ? ClientHelloNames.of(received.payloadAddress(), received.length()) : null;
        State state = names == null ? add(received) : State.WHOLE;
        if (state == State.INCOMPLETE) {
            received.release();
            return false;
        }
        cancelTimer();
        session.socket().stopReceiving();
        switch (state) {
            case WHOLE -> decide(names, received);
            case OTHER -> terminate(received, NOT_TLS);
            case TOO_LONG, INCOMPLETE ->
                end(received, TOO_LONG, TOO_LONG.reason().alert());
        }
        return true;
    }

    private State add(Slab received) {
        if (pieces == null) {
            pieces = new ClientHelloAssembly();
        }
        return pieces.add(received.payloadAddress(), received.length());
    }

    // --- the decision -----------------------------------------------------------------------------------------------

    /**
     * Finds the route.
     *
     * @param known null for a ClientHello in pieces
     */
    private void decide(@Nullable ClientHelloNames known, Slab received) {
        ClientHelloNames names = known == null ? namesInPieces(received) : known;
        if (session.listener().makesFingerprints()) {
            session.fingerprint(Ja4.of(received.payloadAddress(), received.length()));
        }
        Router.Route route = session.listener().passthrough(names);
        if (session.loop().challenges().isAskedBy(names)) {
            answerChallenge(names, received);
        } else if (route != null) {
            pass(route, names, received);
        } else {
            terminate(received, noRoute(names));
        }
    }

    /** Returns the names in a ClientHello that came in pieces, whose last one is overwritten. */
    private ClientHelloNames namesInPieces(Slab scratch) {
        fill(scratch, Objects.requireNonNull(pieces).record());
        return Objects.requireNonNull(ClientHelloNames.of(scratch.payloadAddress(), scratch.length()));
    }

    /** Puts other bytes in place of a buffer's: at most {@link BufferGeometry#PAYLOAD}. */
    private static void fill(Slab buffer, byte[] content) {
        buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + content.length);
        RawMemory.copy(content, 0, buffer.payloadAddress(), content.length);
    }

    private static SessionEnd noRoute(ClientHelloNames names) {
        return SessionEnd.noRoute(
                names.serverName(), names.alpn().stream().limit(LOGGED_MAX).collect(Collectors.joining(",")));
    }

    // --- passed through ---------------------------------------------------------------------------------------------

    private void pass(Router.Route route, ClientHelloNames names, Slab received) {
        byte[] bytes = bytes(received);
        received.release();
        SessionEnd refusal = session.loop().gate().refusal(session.peer().getAddress());
        if (refusal != null) {
            session.listener().release();
            session.refuse(refusal);
            return;
        }
        session.loop().counters().increment(Metric.PASSTHROUGH_CONNECTIONS);
        if (session.record() != null) {
            session.record().serverName(names.serverName());
        }
        PassthroughHello hello = new PassthroughHello(session, facts(route, names), bytes);
        ConnectPhase successor = new ConnectPhase(session, session.socket(), hello, route.pool());
        session.enter(successor);
        successor.begin();
    }

    /** Returns all bytes of the client. */
    private byte[] bytes(Slab received) {
        if (pieces != null) {
            return pieces.bytes();
        }
        byte[] bytes = new byte[received.length()];
        RawMemory.copy(received.payloadAddress(), bytes, 0, bytes.length);
        return bytes;
    }

    /** The protocol is known where the client offers one, or the route is for one; the server may choose none. */
    private TlsFacts facts(Router.Route route, ClientHelloNames names) {
        String alpn = names.alpn().size() == 1
                ? names.alpn().getFirst()
                : route.config().alpn();
        return TlsFacts.ofHello(names.serverName(), alpn).withFingerprint(session.fingerprint());
    }

    // --- asked by an ACME server ------------------------------------------------------------------------------------

    private void answerChallenge(ClientHelloNames names, Slab received) {
        if (pieces != null) {
            if (pieces.length() > BufferGeometry.PAYLOAD) {
                end(received, TOO_MUCH, null);
                return;
            }
            fill(received, pieces.bytes());
        }
        HelloPhase successor = HelloPhase.ofChallenge(session, startNanos, names.serverName());
        session.enter(successor);
        successor.take(received);
    }

    // --- terminated -------------------------------------------------------------------------------------------------

    /**
     * Has the gateway answer the client, as if its bytes had come at once.
     *
     * @param otherwise the end of the client where the listener has no certificate
     */
    private void terminate(Slab received, SessionEnd otherwise) {
        if (pieces != null) {
            if (pieces.length() > BufferGeometry.PAYLOAD) {
                end(received, otherwise.reason() == EndReason.NO_ROUTE ? TOO_MUCH : otherwise, null);
                return;
            }
            fill(received, pieces.bytes());
        }
        ServedListener listener = session.listener();
        boolean plainHttp = listener.acceptPolicy().answersHttp()
                && HttpBegin.of(received.payloadAddress(), received.length()) != HttpBegin.NO;
        if (listener.terminates() || plainHttp) {
            HelloPhase successor = new HelloPhase(session, startNanos);
            session.enter(successor);
            successor.take(received);
        } else {
            end(received, otherwise, otherwise.reason() == EndReason.NO_ROUTE ? TlsAlert.UNRECOGNIZED_NAME : null);
        }
    }

    /**
     * Ends a client that nobody answers.
     *
     * @param alert what it is told, RFC 8446 section 6; null for one that does not speak TLS
     */
    private void end(Slab received, SessionEnd why, @Nullable TlsAlert alert) {
        received.release();
        if (alert != null) {
            byte[] fatal = {ALERT_RECORD, 3, 3, 0, 2, FATAL, (byte) alert.number()};
            Buffers.send(session.socket(), fatal); // without a buffer the client sees the end alone
        }
        session.close(why, session.socket());
    }

    // --- its end without a decision ---------------------------------------------------------------------------------

    @Override
    public void onEndOfStream(Connection connection) {
        session.close(pieces == null ? SessionEnd.CLOSED_BEFORE_HANDSHAKE : TRUNCATED, connection);
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
