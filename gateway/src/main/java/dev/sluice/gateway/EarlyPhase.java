package dev.sluice.gateway;

import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.ProxyProtocol;
import dev.sluice.gateway.earlydata.HeldBytes;
import dev.sluice.gateway.earlydata.SafeRequest;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EarlyDataHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.EarlyData;
import dev.sluice.tls.HandshakeInfo;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The early data of one client connection, until the handshake is complete and {@link Session} has what is left of it.
 * Confined to its loop.
 *
 * <pre>
 *   hold                            all of it waits
 *   forward, http/1.1               requests that are safe to be served twice go ahead, marked by a field of theirs
 *   forward, else, PROXY v2         all of it goes ahead, marked by the header
 *   forward, else                   all of it waits
 * </pre>
 *
 * <p>What waits is in memory of its own, {@value EarlyDataPolicies#BYTES_MAX} bytes at most, which libssl sees to.
 */
final class EarlyPhase implements EarlyDataHandler, AutoCloseable {
    private static final String HTTP_1_1 = "http/1.1";

    /** What goes ahead. */
    private enum Passing {
        NOTHING,
        SAFE_REQUESTS,
        EVERYTHING
    }

    private final Session session;
    private final ServedListener listener;
    private final HandshakeHandler outcome;
    private Passing passing = Passing.NOTHING;
    private boolean passed;
    private @Nullable HeldBytes held;
    private @Nullable EarlyData accepted;
    private @Nullable BackendPool pool;

    /** How many of the bytes that wait were searched for the end of a request's head. */
    private int searched;

    /** @param outcome told how the handshake ends */
    EarlyPhase(Session session, ServedListener listener, HandshakeHandler outcome) {
        this.session = session;
        this.listener = listener;
        this.outcome = outcome;
    }

    @Override
    public void onEarlyDataAccepted(TlsConnection connection, EarlyData early) {
        held = new HeldBytes(EarlyDataPolicies.BYTES_MAX);
        accepted = early;
        session.onEarlyDataAccepted();
        if (listener.earlyData() == EarlyDataMode.FORWARD) {
            HandshakeInfo info = early.info();
            pool = listener.router().route(info.serverName(), info.alpn());
            Passing wanted = pool == null
                    ? Passing.NOTHING
                    : passing(info.alpn(), pool.config().proxyProtocol());
            if (wanted != Passing.NOTHING) {
                session.whenFresh(early.offer(), () -> mayPass(wanted));
            }
        }
    }

    /** It was never seen before. */
    private void mayPass(Passing wanted) {
        passing = wanted;
        pass();
    }

    /** By what the backend can be told: a field of HTTP, or the PROXY header, unless it is not known what the client speaks. */
    private Passing passing(String alpn, ProxyProtocol header) {
        if (alpn.equals(HTTP_1_1)) {
            return Passing.SAFE_REQUESTS;
        }
        boolean protocolKnown = !alpn.isEmpty() || !listener.offersAlpn();
        return header == ProxyProtocol.V2 && protocolKnown ? Passing.EVERYTHING : Passing.NOTHING;
    }

    @Override
    public void onEarlyData(TlsConnection connection, Slab buffer) {
        HeldBytes waiting = held;
        if (waiting != null) {
            waiting.add(buffer.payloadAddress(), buffer.length());
        }
        buffer.release();
        pass();
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        outcome.onHandshake(connection, info);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        outcome.onHandshakeFailed(connection, failure);
    }

    // --- what goes ahead --------------------------------------------------------------------------------------------

    /** Sends what may go ahead; the session calls again when it is connected to the backend. */
    void pass() {
        HeldBytes waiting = held;
        if (waiting == null) {
            return;
        }
        if (passing == Passing.EVERYTHING && waiting.length() > 0) {
            passEverything(waiting);
        } else if (passing == Passing.SAFE_REQUESTS) {
            passSafeRequests(waiting);
        }
    }

    private void passEverything(HeldBytes waiting) {
        Connection backend = backend();
        if (backend != null) {
            tellPassed();
            sendAll(waiting, backend);
        }
    }

    private void passSafeRequests(HeldBytes waiting) {
        for (int head = headLength(waiting); head > 0; head = headLength(waiting)) {
            SafeRequest request = SafeRequest.of(waiting.text(head));
            if (request == null) {
                passing = Passing.NOTHING; // this one waits, and what comes behind it too
                return;
            }
            Connection backend = backend();
            if (backend == null) {
                return;
            }
            tellPassed();
            waiting.consume(head);
            searched = 0;
            session.sendToBackend(backend, request.marked().getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private void tellPassed() {
        if (!passed) {
            passed = true;
            session.onEarlyDataPassed();
        }
    }

    private int headLength(HeldBytes waiting) {
        int length = waiting.headLength(searched);
        searched = length > 0 ? 0 : Math.max(0, waiting.length() - SafeRequest.END_BYTES + 1);
        return length;
    }

    private @Nullable Connection backend() {
        BackendPool chosen = pool;
        EarlyData early = accepted;
        return chosen == null || early == null ? null : session.backendForEarlyData(chosen, early.info());
    }

    /** No backend could be had: it is tried again when the handshake is complete. */
    void waitForHandshake() {
        passing = Passing.NOTHING;
    }

    // --- what has waited --------------------------------------------------------------------------------------------

    /** The client is there: sends what has waited, and is over. */
    void release(Connection backend) {
        HeldBytes waiting = held;
        if (waiting != null) {
            sendAll(waiting, backend);
        }
        close();
    }

    private void sendAll(HeldBytes waiting, Connection backend) {
        int length = waiting.length();
        if (length > 0) {
            byte[] bytes = waiting.bytes();
            waiting.consume(length);
            session.sendToBackend(backend, bytes);
        }
    }

    /** Frees what has waited. Again without effect. */
    @Override
    public void close() {
        if (held != null) {
            held.close();
            held = null;
        }
    }
}
