package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.LimitsConfig;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop does for the gateway: its listeners, its TLS contexts, its client connections. Confined to the
 * event loop's thread but for the constructor and {@link #counters()}.
 */
final class GatewayLoop {
    /** An idle connection is found within an eighth of its timeout. */
    static final int SWEEPS_PER_IDLE_TIMEOUT = 8;

    private static final long SWEEP_MILLIS_MIN = 10;
    private static final long LOG_FLUSH_MILLIS = FailureLog.WINDOW_SECONDS * 1000L;

    private final EventLoop eventLoop;
    private final int number;
    private final LimitsConfig limits;
    private final Admission admission;
    private final FailureLog failures;
    private final LoopCounters counters = new LoopCounters();
    private final LongSupplier nanoTime;
    private final HandshakeGate gate;
    private final SessionTable sessions = new SessionTable();
    private final List<ServedListener> listeners = new ArrayList<>();
    private final Map<BackendConfig, BackendPool> pools = new HashMap<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private boolean draining;

    GatewayLoop(EventLoop eventLoop, int number, GatewayConfig config, Admission admission, GatewayLog log) {
        this(eventLoop, number, config, admission, log, System::nanoTime);
    }

    /** @param nanoTime the clock, as {@link System#nanoTime()} */
    GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            GatewayLog log,
            LongSupplier nanoTime) {
        this.eventLoop = eventLoop;
        this.number = number;
        this.limits = config.limits();
        this.admission = admission;
        this.failures = new FailureLog(log, nanoTime);
        this.nanoTime = nanoTime;
        this.gate = new HandshakeGate(eventLoop, admission, limits.handshakes(), counters, nanoTime);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    LimitsConfig limits() {
        return limits;
    }

    LoopCounters counters() {
        return counters;
    }

    HandshakeGate gate() {
        return gate;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * Listens.
     *
     * @param address the configured one, its port replaced by the one that the first loop got
     * @param context owned by this loop from now on
     * @return where it listens
     * @throws dev.sluice.net.ListenException when it cannot
     */
    InetSocketAddress listen(ListenerConfig config, InetSocketAddress address, SharedContext context) {
        Router router = new Router(config.routes().stream()
                .map(route -> new Router.Route(route, pool(route.backend())))
                .toList());
        Accepting accepting = new Accepting();
        Listener socket = eventLoop.listen(address, ListenerOptions.defaults(), accepting);
        accepting.served = new ServedListener(socket, context, router, config);
        listeners.add(accepting.served);
        return accepting.served.address();
    }

    /** One view of a backend per loop, however many routes lead to it. */
    private BackendPool pool(BackendConfig backend) {
        return pools.computeIfAbsent(backend, config -> new BackendPool(config, number));
    }

    /** Starts what recurs, and what counts. */
    void startSweeping() {
        counters.directPath(eventLoop.directPath());
        if (!limits.idleTimeout().isZero()) {
            sweepLater(Math.max(limits.idleTimeout().toMillis() / SWEEPS_PER_IDLE_TIMEOUT, SWEEP_MILLIS_MIN));
        }
        flushLogLater();
    }

    private void sweepLater(long millis) {
        eventLoop.schedule(millis, () -> {
            sessions.forEach(Session::onSweep);
            sweepLater(millis);
        });
    }

    private void flushLogLater() {
        eventLoop.schedule(LOG_FLUSH_MILLIS, () -> {
            failures.flush();
            flushLogLater();
        });
    }

    // --- sessions
    // -----------------------------------------------------------------------------------------------------

    /** What one listener's sockets lead to. */
    private final class Accepting implements AcceptHandler {
        private @Nullable ServedListener served;

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            accept(Objects.requireNonNull(served), connection, (InetSocketAddress) peer);
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            failures.report(failure.fault(), failure.reason(), "listener", failure.message());
        }
    }

    private void accept(ServedListener served, TcpConnection connection, InetSocketAddress peer) {
        counters.increment(Counter.ACCEPTED);
        Verdict verdict = admission.enter(peer.getAddress());
        if (verdict != Verdict.ADMITTED) {
            connection.abort();
            ended(SessionEnd.refused(verdict, admission), peer);
            return;
        }
        Session session = new Session(this, served, connection);
        sessions.add(session);
        new Newcomer(this, served, connection, session, peer.getAddress()).start();
    }

    /** Nothing of a session is held any more. */
    void onSessionOver(Session session, SessionEnd end) {
        sessions.remove(session);
        InetSocketAddress peer = session.peer();
        admission.left(peer.getAddress());
        ended(end, peer);
        completeDrain();
    }

    private void ended(SessionEnd end, InetSocketAddress peer) {
        if (!end.isClean() && !failures.leavesOut(end.reason())) {
            failures.report(end.fault(), end.reason(), "client " + BackendConfig.text(peer), end.message());
        }
        counters.ended(end.reason());
    }

    // --- the end
    // ------------------------------------------------------------------------------------------------------

    /** Listens no more. */
    void stopListening() {
        listeners.forEach(served -> served.socket().close());
        draining = true;
        completeDrain();
    }

    /** Completed when no session is left after {@link #stopListening()}. */
    CompletableFuture<Void> drained() {
        return drained;
    }

    /** Ends what is left. */
    void abortAll(SessionEnd why) {
        sessions.forEach(session -> session.abort(why));
    }

    /** After the event loop's end: frees what it used. May be called from any thread then. */
    void freeContexts() {
        listeners.forEach(served -> served.context().close());
    }

    private void completeDrain() {
        if (draining && sessions.isEmpty()) {
            drained.complete(null);
        }
    }
}
