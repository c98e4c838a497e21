package dev.sluice.gateway.session;

import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.Buffers;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.earlydata.HeldBytes;
import dev.sluice.gateway.earlydata.SafeRequest;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.EarlyDataResult;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EarlyDataHandler;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.EarlyData;
import dev.sluice.tls.engine.HandshakeInfo;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The early data of one client connection: held, or forwarded where it may precede the end of the handshake. Owned by
 * the {@link HandshakePhase}, and confined to its loop.
 *
 * <pre>
 *   hold                            everything is held
 *   forward, http/1.1               requests that are safe to be served twice are forwarded, marked by a header field
 *   forward, else, PROXY v2         everything is forwarded, marked by the PROXY header
 *   forward, else                   everything is held
 * </pre>
 *
 * <p>What is held lies in memory of its own, {@value EarlyDataPolicies#BYTES_MAX} bytes at most, a limit that libssl
 * enforces.
 */
final class EarlyDataForwarder implements EarlyDataHandler, AutoCloseable {
    private static final String HTTP_1_1 = "http/1.1";

    /** The part of early data that may be forwarded. */
    private enum Forwarding {
        NOTHING,
        SAFE_REQUESTS,
        EVERYTHING
    }

    private final Session session;
    private final HandshakePhase handshake;
    private Forwarding forwarding = Forwarding.NOTHING;
    private boolean counted;
    private @Nullable HeldBytes held;
    private @Nullable EarlyData accepted;
    private @Nullable BackendPool pool;
    /** Once it is connected. */
    private @Nullable Connection backend;

    /** The number of held bytes that were searched for the end of a request's head. */
    private int searched;

    EarlyDataForwarder(Session session, HandshakePhase handshake) {
        this.session = session;
        this.handshake = handshake;
    }

    // --- the client -------------------------------------------------------------------------------------------------

    @Override
    public void onEarlyDataAccepted(TlsConnection connection, EarlyData early) {
        held = new HeldBytes(EarlyDataPolicies.BYTES_MAX);
        accepted = early;
        session.loop().counters().increment(Metric.TLS_EARLY_DATA, EarlyDataResult.ACCEPTED);
        ServedListener listener = session.listener();
        if (listener.earlyData() == EarlyDataMode.FORWARD) {
            HandshakeInfo info = early.info();
            BackendPool chosen = listener.router().route(info.serverName(), info.alpn());
            if (chosen != null) {
                pool = chosen;
                forwardWhenFresh(early, forwarding(info.alpn(), chosen.config().proxyProtocol()));
            }
        }
    }

    /**
     * Decides by how the backend is warned: a field of HTTP, or the PROXY header if it is known what the client speaks.
     */
    private Forwarding forwarding(String alpn, ProxyProtocol header) {
        if (alpn.equals(HTTP_1_1)) {
            return Forwarding.SAFE_REQUESTS;
        }
        boolean protocolKnown = !alpn.isEmpty() || !session.listener().offersAlpn();
        return header == ProxyProtocol.V2 && protocolKnown ? Forwarding.EVERYTHING : Forwarding.NOTHING;
    }

    private void forwardWhenFresh(EarlyData early, Forwarding wanted) {
        if (wanted != Forwarding.NOTHING) {
            GatewayLoop loop = session.loop();
            loop.earlyData().whenFresh(early.offer(), loop.eventLoop(), () -> {
                forwarding = wanted;
                forward();
            });
        }
    }

    @Override
    public void onEarlyData(TlsConnection connection, Slab buffer) {
        HeldBytes waiting = held;
        if (waiting != null) {
            waiting.add(buffer.payloadAddress(), buffer.length());
        }
        buffer.release();
        forward();
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        handshake.onHandshake(connection, info);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        handshake.onHandshakeFailed(connection, failure);
    }

    // --- forwarding -------------------------------------------------------------------------------------------------

    /** Forwards to a backend that is connected now. */
    void forwardTo(Connection connected) {
        backend = connected;
        forward();
    }

    /** Forwards nothing more: what is held waits for the end of the handshake. */
    void stopForwarding() {
        forwarding = Forwarding.NOTHING;
    }

    /** Returns true when nothing is held for the backend. */
    boolean isEmpty() {
        return held == null || held.length() == 0;
    }

    /** Returns what a PROXY header says of a handshake that is not complete. */
    TlsFacts tlsFacts() {
        EarlyData early = accepted;
        return early == null ? TlsFacts.NONE : TlsFacts.of(early.info()).withEarlyData();
    }

    private void forward() {
        HeldBytes waiting = held;
        if (waiting == null) {
            return;
        }
        if (forwarding == Forwarding.EVERYTHING && waiting.length() > 0) {
            forwardEverything(waiting);
        } else if (forwarding == Forwarding.SAFE_REQUESTS) {
            forwardSafeRequests(waiting);
        }
    }

    private void forwardEverything(HeldBytes waiting) {
        Connection connected = connected();
        if (connected != null) {
            countForwarded();
            sendAll(waiting, connected);
        }
    }

    private void forwardSafeRequests(HeldBytes waiting) {
        for (int head = headLength(waiting); head > 0; head = headLength(waiting)) {
            SafeRequest request = SafeRequest.of(waiting.text(head));
            if (request == null) {
                stopForwarding(); // this one waits, and what comes behind it too
                return;
            }
            Connection connected = connected();
            if (connected == null) {
                return;
            }
            countForwarded();
            waiting.consume(head);
            searched = 0;
            send(connected, request.marked().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Returns the backend; null while it is not connected, which this call starts. */
    private @Nullable Connection connected() {
        if (backend == null && pool != null) {
            handshake.connectAhead(pool);
        }
        return backend;
    }

    private void countForwarded() {
        if (!counted) {
            counted = true;
            session.loop().counters().increment(Metric.TLS_EARLY_DATA, EarlyDataResult.FORWARDED);
        }
    }

    private int headLength(HeldBytes waiting) {
        int length = waiting.headLength(searched);
        searched = length > 0 ? 0 : Math.max(0, waiting.length() - SafeRequest.END_BYTES + 1);
        return length;
    }

    // --- what was held ----------------------------------------------------------------------------------------------

    /** Sends the backend what is held, since the handshake is complete. Nothing is forwarded any more. */
    void release(Connection connected) {
        try {
            if (held != null) {
                sendAll(held, connected);
            }
        } finally {
            close();
        }
    }

    private void sendAll(HeldBytes waiting, Connection connected) {
        int length = waiting.length();
        if (length > 0) {
            byte[] bytes = waiting.bytes();
            waiting.consume(length);
            send(connected, bytes);
        }
    }

    /** Sends what came early; ends everything when there is no buffer left for it. */
    private void send(Connection connected, byte[] bytes) {
        session.countToBackend(bytes.length);
        if (!Buffers.send(connected, bytes)) {
            session.abort(SessionEnd.NO_BUFFERS);
        }
    }

    /** Frees what is held. Idempotent. */
    @Override
    public void close() {
        if (held != null) {
            held.close();
            held = null;
        }
    }
}
