package dev.sluice.gateway.session;

import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.admission.PendingHandshake;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.challenge.ChallengeAnswer;
import dev.sluice.gateway.outcome.EndSide;
import dev.sluice.gateway.outcome.HandshakeFacts;
import dev.sluice.gateway.outcome.HandshakeFacts.OuterName;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.context.ClientHelloNames;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.failure.EndReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client's handshake, which holds a place among those in flight. Its successor is the {@link ConnectPhase}: when
 * the handshake is complete, after a {@link FirstDataPhase} where the backend is connected on data, or before that
 * where the backend is one to connect to at the ClientHello, or early data goes ahead. Then this object lives on beside
 * its successors, as the handler of the handshake and the owner of the early data, until the client joins the relay.
 *
 * <p>It also holds the listener on behalf of its successors: what a handshake and a route to a backend need.
 */
final class HandshakePhase implements SessionPhase, Forerunner, HandshakeHandler {
    private enum State {
        /** Counts toward the handshakes in flight. */
        UNDER_WAY,
        COMPLETE,
        FAILED
    }

    private static final SessionEnd CHALLENGE_ANSWERED = SessionEnd.of(EndReason.CHALLENGE_ANSWERED, "");

    private final Session session;
    /** The name that an ACME server checks; null: another client. */
    private final @Nullable String challenge;

    private final boolean hasTicket;
    private final boolean preferred;
    private final long queueMicros;
    private State state = State.UNDER_WAY;
    /** Without TLS as long as that has not started. */
    private Connection client;

    private @Nullable DirectEngine engine;
    /** The backend that is connected to beside the handshake; null: none. */
    private @Nullable BackendPool ahead;

    /** Only where the listener takes early data. */
    private @Nullable EarlyDataForwarder early;

    /** Once it is complete. */
    private @Nullable HandshakeInfo info;

    /**
     * Makes the phase of a handshake that was admitted.
     *
     * @param admitted what the queue knew of it
     * @param challenge the name that an ACME server checks; null: another client
     * @param queueMicros the time from the ClientHello to the admission, in microseconds
     */
    HandshakePhase(Session session, PendingHandshake admitted, @Nullable String challenge, long queueMicros) {
        this.session = session;
        this.challenge = challenge;
        this.client = session.socket();
        this.hasTicket = admitted.hasTicket;
        this.preferred = admitted.resumes;
        this.queueMicros = queueMicros;
    }

    /**
     * Starts the handshake.
     *
     * @param hello the first bytes of the client, the phase's from now on
     * @param timeoutMillis the time that the handshake may take
     */
    void begin(Slab hello, long timeoutMillis) {
        SharedContext context = context();
        if (context == null) {
            hello.release();
            session.abort(SessionEnd.noRoute(String.valueOf(challenge), ChallengeAnswer.PROTOCOL));
            return;
        }
        DirectEngine server;
        try {
            ahead = challenge == null ? routeAtHello(hello) : null;
            if (challenge == null && session.listener().earlyData() != EarlyDataMode.OFF) {
                early = new EarlyDataForwarder(session, this);
            }
            server = DirectEngine.server(context, session.loop().eventLoop().loopCrypto());
        } catch (RuntimeException | Error e) {
            hello.release();
            session.abort(SessionEnd.BROKEN);
            throw e;
        }
        engine = server;
        client = session.socket().startTls(server, timeoutMillis, early == null ? this : early, hello);
        attach();
        if (ahead != null) {
            connect(ahead);
        }
    }

    /**
     * Returns the backend to connect to beside the handshake; null: the route is found after it, as where Encrypted
     * ClientHello may hide the name that decides.
     */
    private @Nullable BackendPool routeAtHello(Slab hello) {
        Router router = session.listener().router();
        boolean isNameSeen = session.listener().publicName().isEmpty();
        ClientHelloNames names = isNameSeen && router.connectsAtHello()
                ? ClientHelloNames.of(hello.payloadAddress(), hello.length())
                : null;
        return names == null ? null : router.routeAtHello(names.serverName());
    }

    /** Returns the context that answers; null when the challenge is over. */
    private @Nullable SharedContext context() {
        return challenge == null
                ? session.listener().context()
                : session.loop().challenges().context(challenge);
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void attach() {
        client.handler(this);
    }

    @Override
    public void abort() {
        client.abort();
    }

    // --- its outcome ------------------------------------------------------------------------------------------------

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo complete) {
        if (hasTicket) {
            session.loop().gate().ticketOutcome(preferred, complete.resumed());
        }
        HandshakeFacts facts = facts(complete);
        info = complete;
        leaveFlight(State.COMPLETE);
        session.loop().counters().handshakeComplete(facts);
        if (session.record() != null) {
            session.record().handshake(complete, queueMicros);
        }
        FlightReport.handshake(session, facts);
        session.listener().kernelRecords().offer(connection, session.loop().counters());
        if (ahead == null || ahead.equals(route(complete))) {
            session.phase().onHandshakeComplete();
        } else {
            // A second ClientHello has named another host: RFC 8446 section 4.1.2 forbids that.
            session.abort(SessionEnd.noRoute(complete.serverName(), complete.alpn()));
        }
    }

    private @Nullable BackendPool route(HandshakeInfo complete) {
        return session.listener().router().route(complete.serverName(), complete.alpn());
    }

    private HandshakeFacts facts(HandshakeInfo complete) {
        String host = challenge == null ? session.listener().hostOf(complete.serverName()) : "";
        OuterName outer = OuterName.of(complete, session.listener().publicName());
        return new HandshakeFacts(complete, host, engine == null ? null : engine.detached(), outer, queueMicros);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        String asked = engine == null ? "" : engine.serverName();
        session.endWith(SessionEnd.handshake(failure));
        leaveFlight(State.FAILED);
        session.loop().counters().handshakeFailed(EndSide.HANDSHAKE, failure.reason());
        if (session.record() != null) {
            session.record().serverName(asked);
        }
        FlightReport.handshakeFailed(session, asked, failure);
        session.phase().onHandshakeFailed();
    }

    private void leaveFlight(State outcome) {
        state = outcome;
        session.loop().gate().handshakeOver();
    }

    /** Connects to the backend of the first route that matches. */
    @Override
    public void onHandshakeComplete() {
        if (challenge != null) { // the certificate was the answer: RFC 8737 section 3
            session.close(CHALLENGE_ANSWERED, client);
            return;
        }
        HandshakeInfo complete = Objects.requireNonNull(info);
        BackendPool pool = route(complete);
        if (pool == null) {
            session.close(SessionEnd.noRoute(complete.serverName(), complete.alpn()), client);
        } else if (pool.config().connect() == ConnectMode.ON_DATA && (early == null || early.isEmpty())) {
            awaitData(pool);
        } else {
            connect(pool);
        }
    }

    /** Leaves the session to a phase that holds the backend, and not the listener. */
    private void awaitData(BackendPool pool) {
        TlsFacts facts = pool.config().proxyProtocol() == ProxyProtocol.V2 ? tlsFacts() : TlsFacts.NONE;
        FirstDataPhase successor = new FirstDataPhase(session, client, pool, facts);
        session.enter(successor);
        if (early != null) {
            early.close();
        }
        session.listener().release();
        successor.begin();
    }

    private void connect(BackendPool pool) {
        ConnectPhase successor = new ConnectPhase(session, client, this, pool);
        session.enter(successor);
        successor.begin();
    }

    // --- what successors ask ----------------------------------------------------------------------------------------

    @Override
    public boolean isUnderWay() {
        return state == State.UNDER_WAY;
    }

    @Override
    public boolean isComplete() {
        return state == State.COMPLETE;
    }

    @Override
    public TlsFacts tlsFacts() {
        HandshakeInfo complete = info;
        if (complete != null) {
            return TlsFacts.of(complete).withFingerprint(session.fingerprint());
        }
        return early == null ? TlsFacts.NONE : early.tlsFacts().withFingerprint(session.fingerprint());
    }

    @Override
    public void join(Connection backend) {
        try {
            if (early != null) {
                early.release(backend);
            }
        } finally {
            session.listener().release();
        }
    }

    // --- early data -------------------------------------------------------------------------------------------------

    /** Connects to a backend before the handshake is complete, unless the session has left this phase or ends. */
    void connectAhead(BackendPool pool) {
        if (session.phase() == this && !session.isEnding()) {
            connect(pool);
        }
    }

    @Override
    public void forwardTo(Connection backend) {
        if (early != null) {
            early.forwardTo(backend);
        }
    }

    /** Tries again when the handshake is complete. */
    @Override
    public void returnWithoutBackend() {
        ahead = null;
        if (early != null) {
            early.stopForwarding();
        }
        session.enter(this);
    }

    // --- its end ----------------------------------------------------------------------------------------------------

    @Override
    public void release(SessionEnd end) {
        try {
            if (early != null) {
                early.close();
            }
            if (isUnderWay()) {
                session.countFailedHandshake(end);
                leaveFlight(State.FAILED);
            }
        } finally {
            session.listener().release();
        }
    }
}
