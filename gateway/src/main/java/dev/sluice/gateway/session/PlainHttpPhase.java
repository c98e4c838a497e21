package dev.sluice.gateway.session;

import dev.sluice.gateway.backend.Buffers;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.plainhttp.HttpBegin;
import dev.sluice.gateway.plainhttp.PlainResponse;
import dev.sluice.gateway.plainhttp.RequestBytes;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.Timer;
import dev.sluice.tls.failure.EndReason;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a client that sends plain HTTP to a TLS port: the head of its request is awaited within the time for a
 * handshake, and answered once by the https address. Its successor is the {@link ClosingPhase}.
 *
 * <p>Only what {@link HttpBegin} recognizes leads here, so no TLS client does.
 */
final class PlainHttpPhase implements OpeningPhase {
    private static final SessionEnd ANSWERED = ended(EndReason.HTTP_REQUEST);
    private static final SessionEnd OTHER_PROTOCOL = ended(EndReason.NOT_TLS);
    private static final SessionEnd TRUNCATED = ended(EndReason.HANDSHAKE_TRUNCATED);
    private static final SessionEnd TOO_SLOW = new SessionEnd(
            EndSide.HANDSHAKE,
            EndReason.HANDSHAKE_TIMEOUT,
            EndReason.HANDSHAKE_TIMEOUT.describe("an unfinished request of plain HTTP"));

    private final Session session;
    private final long timeoutMillis;
    private final RequestBytes request = new RequestBytes();
    private @Nullable Timer timer;

    private static SessionEnd ended(EndReason reason) {
        return new SessionEnd(EndSide.HANDSHAKE, reason, reason.describe());
    }

    /**
     * Makes the phase.
     *
     * @param timeoutMillis the time within which the head must be there
     */
    PlainHttpPhase(Session session, long timeoutMillis) {
        this.session = session;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        timer = session.loop().eventLoop().schedule(timeoutMillis, () -> session.abort(TOO_SLOW));
        session.socket().startReceiving();
    }

    /**
     * Answers the request, or awaits the rest of it.
     *
     * @param first its first bytes, the phase's from now on
     */
    void take(Slab first) {
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
        HttpBegin begin = request.begin();
        if (begin == HttpBegin.NO) {
            session.close(OTHER_PROTOCOL, session.socket());
            return true;
        }
        if (begin == HttpBegin.YES && request.isEnough()) {
            answer();
            return true;
        }
        return false;
    }

    /** Answers a client that will send no more, too. */
    @Override
    public void onEndOfStream(Connection connection) {
        if (request.begin() == HttpBegin.YES) {
            answer();
        } else {
            session.close(TRUNCATED, connection);
        }
    }

    private void answer() {
        SessionEnd refusal = session.loop().gate().refusal(session.peer().getAddress());
        if (refusal != null) {
            giveBack();
            session.refuse(refusal);
            return;
        }
        boolean sent = Buffers.send(session.socket(), PlainResponse.speaksTls(request.head(), session.destination()));
        session.close(sent ? ANSWERED : SessionEnd.NO_BUFFERS, session.socket());
    }

    @Override
    public void release(SessionEnd end) {
        giveBack();
        session.countFailedHandshake(end);
    }

    private void giveBack() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        session.listener().release();
    }
}
