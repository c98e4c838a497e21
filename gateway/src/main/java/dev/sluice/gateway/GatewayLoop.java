package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.LimitsConfig;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.gateway.config.RouteConfig;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop does for the gateway: its listeners, its TLS contexts, its client connections. Confined to the
 * event loop's thread but for the constructor and {@link #counters()}.
 */
final class GatewayLoop {
    /** An idle connection is found within an eighth of its timeout. */
    static final int SWEEPS_PER_IDLE_TIMEOUT = 8;

    private static final long SWEEP_MILLIS_MIN = 10;
    /** After this long it is looked again whether there are idle connections to find. */
    private static final long NO_SWEEP_MILLIS = 10_000;

    private static final long LOG_FLUSH_MILLIS = FailureLog.WINDOW_SECONDS * 1000L;

    private final EventLoop eventLoop;
    private final int number;
    private LimitsConfig limits;
    private final Admission admission;
    private final EarlyDataPolicies earlyData;
    private final FailureLog failures;
    private final LoopCounters counters = new LoopCounters();
    private final LongSupplier nanoTime;
    private final HandshakeGate gate;
    private final SessionTable sessions = new SessionTable();
    private List<ListeningSocket> listeners = List.of();
    private final Map<BackendConfig, BackendPool> pools = new HashMap<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private boolean draining;

    GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            EarlyDataPolicies earlyData,
            GatewayLog log) {
        this(eventLoop, number, config, admission, earlyData, log, System::nanoTime);
    }

    /** @param nanoTime the clock, as {@link System#nanoTime()} */
    GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            EarlyDataPolicies earlyData,
            GatewayLog log,
            LongSupplier nanoTime) {
        this.earlyData = earlyData;
        this.eventLoop = eventLoop;
        this.number = number;
        this.limits = config.limits();
        this.admission = admission;
        this.failures = new FailureLog(log, nanoTime);
        this.nanoTime = nanoTime;
        this.gate = new HandshakeGate(eventLoop, admission, limits.handshakes(), counters, nanoTime);
    }

    EarlyDataPolicies earlyData() {
        return earlyData;
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

    /** Where a listener's connections go, with this loop's view of the backends. */
    Router router(ListenerConfig config) {
        return new Router(config.routes().stream()
                .map(route -> new Router.Route(route, pool(route.backend())))
                .toList());
    }

    /** One view of a backend per loop, however many routes lead to it. */
    private BackendPool pool(BackendConfig backend) {
        return pools.computeIfAbsent(backend, config -> new BackendPool(config, number));
    }

    /** What it listens on. */
    List<ListeningSocket> listeners() {
        return listeners;
    }

    /** Its listeners, which somebody else has opened and set up, and what else a configuration says of a loop. */
    void serves(List<ListeningSocket> sockets, GatewayConfig config) {
        listeners = List.copyOf(sockets);
        limits = config.limits();
        gate.limits(limits.handshakes());
        // Sessions keep the view of a backend that they have; for new ones nothing leads to the others any more.
        Set<BackendConfig> used = config.listeners().stream()
                .flatMap(listener -> listener.routes().stream())
                .map(RouteConfig::backend)
                .collect(Collectors.toSet());
        pools.keySet().retainAll(used);
    }

    /** Starts what recurs, and what counts. */
    void startSweeping() {
        counters.directPath(eventLoop.directPath());
        sweepLater();
        flushLogLater();
    }

    private void sweepLater() {
        eventLoop.schedule(sweepMillis(), () -> {
            if (!limits.idleTimeout().isZero()) {
                sessions.forEach(Session::onSweep);
            }
            sweepLater();
        });
    }

    private long sweepMillis() {
        long idleMillis = limits.idleTimeout().toMillis();
        return idleMillis == 0 ? NO_SWEEP_MILLIS : Math.max(idleMillis / SWEEPS_PER_IDLE_TIMEOUT, SWEEP_MILLIS_MIN);
    }

    private void flushLogLater() {
        eventLoop.schedule(LOG_FLUSH_MILLIS, () -> {
            failures.flush();
            flushLogLater();
        });
    }

    /** Has the loop's thread do something, and waits for it. */
    void run(Runnable task) {
        call(() -> {
            task.run();
            return null;
        });
    }

    /** Has the loop's thread find something out, and waits for it. */
    <T extends @Nullable Object> T call(Supplier<T> task) {
        try {
            return CompletableFuture.supplyAsync(task, eventLoop).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    // --- sessions
    // -----------------------------------------------------------------------------------------------------

    /** A listener could not accept a connection. */
    void acceptFailed(ConnectionFailure failure) {
        failures.report(failure.fault(), failure.reason(), "listener", failure.message());
    }

    /** A client has connected. */
    void accept(ServedListener served, TcpConnection connection, InetSocketAddress peer) {
        counters.increment(Counter.ACCEPTED);
        Verdict verdict = admission.enter(peer.getAddress());
        if (verdict != Verdict.ADMITTED) {
            connection.abort();
            ended(SessionEnd.refused(verdict, admission), () -> peer);
            return;
        }
        Session session = new Session(this, served, connection);
        sessions.add(session);
        new Newcomer(this, served, connection, session, peer.getAddress()).start();
    }

    /** Nothing of a session is held any more. */
    void onSessionOver(Session session, SessionEnd end) {
        sessions.remove(session);
        // To decode an address makes garbage, and hardly any session's is asked for.
        admission.left(admission.perAddressMax() > 0 ? session.peer().getAddress() : null);
        ended(end, session::peer);
        completeDrain();
    }

    private void ended(SessionEnd end, Supplier<InetSocketAddress> peer) {
        if (!end.isClean() && !failures.leavesOut(end.reason())) {
            failures.report(end.fault(), end.reason(), "client " + BackendConfig.text(peer.get()), end.message());
        }
        counters.ended(end.reason());
    }

    // --- the end
    // ------------------------------------------------------------------------------------------------------

    /** Listens no more. */
    void stopListening() {
        listeners.forEach(ListeningSocket::stop);
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
        listeners.forEach(ListeningSocket::freeContext);
    }

    private void completeDrain() {
        if (draining && sessions.isEmpty()) {
            drained.complete(null);
        }
    }
}
