package dev.sluice.gateway.session;

import dev.sluice.gateway.admission.HandshakeGate;
import dev.sluice.gateway.admission.PendingHandshake;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.plainhttp.HttpBegin;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.Timer;
import dev.sluice.tls.context.ClientPreference;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The phase until a client's handshake may start: the ClientHello is awaited, then the {@link HandshakeGate}. Its
 * successor is the {@link HandshakePhase}, the {@link PlainHttpPhase} of a client that speaks no TLS.
 *
 * <p>What has come in the first receive decides whether the client is expected to resume: of a ClientHello in pieces,
 * it is not. In a storm that is hardly ever so, for the loop receives late then.
 */
final class HelloPhase extends PendingHandshake implements IdentifiedPhase {
    private final Session session;
    private final long startNanos;
    /** The name that an ACME server checks; null: another client. */
    private final @Nullable String challenge;

    private @Nullable Timer timer;
    private @Nullable Slab hello;
    private long helloNanos;

    /** Makes the phase; the time for the handshake runs from now on. */
    HelloPhase(Session session) {
        this(session, session.loop().nanoTime(), null);
    }

    /**
     * Makes the phase of a client that another phase has awaited.
     *
     * @param startNanos when its time for the handshake began, by the loop's clock
     */
    HelloPhase(Session session, long startNanos) {
        this(session, startNanos, null);
    }

    private HelloPhase(Session session, long startNanos, @Nullable String challenge) {
        this.session = session;
        this.startNanos = startNanos;
        this.challenge = challenge;
    }

    /**
     * Makes the phase of a client that asks for the answer to a challenge.
     *
     * @param name the name that it checks
     */
    static HelloPhase ofChallenge(Session session, long startNanos, String name) {
        return new HelloPhase(session, startNanos, name);
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void begin() {
        timer = session.abortWhenSilent();
        session.socket().startReceiving();
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        if (hello == null) {
            connection.stopReceiving();
            cancelTimer();
            take(buffer);
        } else {
            IdentifiedPhase.super.onReceived(connection, buffer);
        }
    }

    /**
     * Asks the gate to admit the client. One that speaks plain HTTP is answered instead.
     *
     * @param buffer the first bytes of the client, the phase's from now on; the caller's when this throws
     */
    @Override
    public void take(Slab buffer) {
        if (session.listener().acceptPolicy().answersHttp()
                && HttpBegin.of(buffer.payloadAddress(), buffer.length()) != HttpBegin.NO) {
            PlainHttpPhase successor =
                    new PlainHttpPhase(session, timeLeftMillis(session.loop().nanoTime()));
            session.enter(successor);
            successor.take(buffer);
        } else {
            arrived(buffer);
        }
    }

    private void arrived(Slab buffer) {
        HandshakeGate gate = session.loop().gate();
        hello = buffer;
        try {
            helloNanos = session.loop().nanoTime();
            session.loop()
                    .counters()
                    .increment(
                            Metric.TLS_CLIENT_PREFERENCE,
                            ClientPreference.of(buffer.payloadAddress(), buffer.length()));
            gate.arrived(this);
        } catch (Throwable t) {
            gate.left(this);
            hello = null;
            throw t;
        }
    }

    // --- what the gate asks and decides -----------------------------------------------------------------------------

    public @Override InetAddress address() {
        return session.peer().getAddress();
    }

    public @Override boolean offersTicket() {
        if (challenge != null) {
            return false;
        }
        Slab bytes = Objects.requireNonNull(hello);
        return session.listener().context().isTicketKnown(bytes.payloadAddress(), bytes.length());
    }

    public @Override void admit(long now) {
        Slab bytes = Objects.requireNonNull(hello);
        HandshakePhase handshake =
                new HandshakePhase(session, this, challenge, TimeUnit.NANOSECONDS.toMicros(now - helloNanos));
        hello = null;
        session.enter(handshake);
        handshake.begin(bytes, timeLeftMillis(now));
    }

    private long timeLeftMillis(long now) {
        long spent = TimeUnit.NANOSECONDS.toMillis(now - startNanos);
        return Math.max(1, session.loop().limits().handshakeTimeout().toMillis() - spent);
    }

    public @Override void refuse(SessionEnd why) {
        giveBack();
        session.refuse(why);
    }

    // --- its end without a handshake --------------------------------------------------------------------------------

    @Override
    public void release(SessionEnd end) {
        giveBack();
        session.countFailedHandshake(end);
    }

    private void giveBack() {
        cancelTimer();
        session.loop().gate().left(this);
        if (hello != null) {
            hello.release();
            hello = null;
        }
        session.listener().release();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
