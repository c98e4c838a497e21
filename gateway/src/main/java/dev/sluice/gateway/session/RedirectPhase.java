package dev.sluice.gateway.session;

import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.backend.Buffers;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.plainhttp.PlainResponse;
import dev.sluice.gateway.plainhttp.RequestBytes;
import dev.sluice.gateway.plainhttp.RequestHead;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.Timer;
import dev.sluice.tls.failure.EndReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a client of a listener that redirects: one request of plain HTTP is awaited within the time for a
 * handshake, and answered by the https address, or by what an ACME server awaits there. Its successor is the {@link
 * ClosingPhase}.
 */
final class RedirectPhase implements IdentifiedPhase {
    private static final SessionEnd REDIRECTED = SessionEnd.of(EndReason.REDIRECTED, "");
    private static final SessionEnd CHALLENGE_ANSWERED = SessionEnd.of(EndReason.CHALLENGE_ANSWERED, "");
    private static final SessionEnd MALFORMED = SessionEnd.of(EndReason.REQUEST_MALFORMED, "");
    private static final SessionEnd NOT_HTTP =
            SessionEnd.of(EndReason.REQUEST_MALFORMED, "the first byte is of another protocol, as that of TLS");

    private final Session session;
    private final RequestBytes request = new RequestBytes();
    private @Nullable Timer timer;

    RedirectPhase(Session session) {
        this.session = session;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        Duration limit = session.loop().limits().handshakeTimeout();
        SessionEnd late = SessionEnd.of(EndReason.REQUEST_TIMEOUT, Quantities.text(limit));
        timer = session.loop().eventLoop().schedule(limit.toMillis(), () -> session.abort(late));
        session.socket().startReceiving();
    }

    @Override
    public void take(Slab first) {
        request.add(first);
        if (!decide()) {
            begin();
        }
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        request.add(buffer);
        decide();
    }

    /** Ends the phase if there are enough bytes for that; returns false when not. */
    private boolean decide() {
        if (!request.beginsAsText()) {
            session.close(NOT_HTTP, session.socket());
            return true;
        }
        if (request.isEnough()) {
            answer();
            return true;
        }
        return false;
    }

    /** Closes the connection of a client that has ended before a whole request. */
    @Override
    public void onEndOfStream(Connection connection) {
        session.close(request.isEmpty() ? SessionEnd.CLOSED_BEFORE_HANDSHAKE : MALFORMED, connection);
    }

    private void answer() {
        RequestHead head = request.head();
        String authorization = request.isWhole() ? session.loop().challenges().answer(head.path()) : null;
        if (authorization != null) {
            send(PlainResponse.challenge(head, authorization), CHALLENGE_ANSWERED);
            return;
        }
        byte[] redirect = request.isWhole()
                ? PlainResponse.redirect(
                        head, session.destination(), session.listener().redirectPort())
                : null;
        byte[] response = redirect == null ? PlainResponse.malformed(head, !request.isWhole()) : redirect;
        send(response, redirect == null ? MALFORMED : REDIRECTED);
    }

    private void send(byte[] response, SessionEnd end) {
        session.close(Buffers.send(session.socket(), response) ? end : SessionEnd.NO_BUFFERS, session.socket());
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        session.endWith(SessionEnd.client(failure));
    }

    @Override
    public void release(SessionEnd end) {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        session.listener().release();
    }
}
