package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.accesslog.ConnectionRecord;
import dev.sluice.gateway.accesslog.LoopAccessLog;
import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.config.LimitsConfig;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.SharedContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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

    private static final long RECORDER_LOOK_MILLIS = 1_000;

    private static final long LOG_FLUSH_MILLIS = FailureLog.WINDOW_SECONDS * 1000L;

    private final EventLoop eventLoop;
    private final int number;
    private LimitsConfig limits;
    private final Admission admission;
    private final EarlyDataPolicies earlyData;
    private final Backends backends;
    private final int loops;
    private final FailureLog failures;
    private final LoopCounters counters;
    private final LongSupplier nanoTime;
    private final HandshakeGate gate;
    private final SessionTable sessions = new SessionTable();
    private List<ListeningSocket> listeners = List.of();
    private final Map<BackendConfig, BackendPool> pools = new HashMap<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    /** How many listeners still stop. */
    private int listening;

    private boolean draining;
    /** The thread, for whoever asks for its processor time; 0 before it is known. */
    private volatile long threadId;

    private @Nullable LoopAccessLog accessLog;
    private boolean turnsWatched;

    GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            EarlyDataPolicies earlyData,
            Backends backends,
            GatewayLog log) {
        this(eventLoop, number, config, admission, earlyData, backends, log, System::nanoTime);
    }

    /** @param nanoTime the clock, as {@link System#nanoTime()} */
    GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            EarlyDataPolicies earlyData,
            Backends backends,
            GatewayLog log,
            LongSupplier nanoTime) {
        this.earlyData = earlyData;
        this.backends = backends;
        this.loops = config.loops();
        this.eventLoop = eventLoop;
        this.number = number;
        this.limits = config.limits();
        this.admission = admission;
        this.failures = new FailureLog(log, nanoTime);
        this.nanoTime = nanoTime;
        this.counters = new LoopCounters(eventLoop.name());
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

    /** Its thread's {@link Thread#threadId()}; 0 before it has begun to serve. From any thread. */
    long threadId() {
        return threadId;
    }

    HandshakeGate gate() {
        return gate;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * What a listener's connections are served with, with this loop's view of the backends.
     *
     * @param context the result's from now on
     */
    ServedListener served(InetSocketAddress address, SharedContext context, ListenerConfig config) {
        Router router = new Router(config.routes().stream()
                .map(route -> new Router.Route(route, pool(route.backend())))
                .toList());
        return new ServedListener(address, context, router, config, admission.ofListener(config), this::unused);
    }

    /** One view of a backend per loop, however many routes lead to it. */
    private BackendPool pool(BackendConfig backend) {
        BackendTarget target = backends.target(backend);
        BackendPool known = pools.get(backend);
        if (known != null && known.target().equals(target)) {
            return known;
        }
        // One of an older configuration that was the same goes on with those who wait there yet.
        BackendPool pool = newPool(target);
        pools.put(backend, pool);
        return pool;
    }

    private BackendPool newPool(BackendTarget target) {
        BackendConfig backend = target.config();
        BackendPool pool = new BackendPool(target, number);
        if (backend.health() != null) {
            // Each server is asked by one loop, and all loops go by the answer.
            for (int server = number; server < pool.size(); server += loops) {
                pool.add(new HealthCheck(eventLoop, pool, server, counters, nanoTime));
            }
        }
        return pool;
    }

    private void unused(BackendPool pool) {
        pools.remove(pool.config(), pool);
        pool.free();
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
    }

    /** Where connections that begin from now on are logged; null: nowhere. Those that have begun are, too, if they were to be. */
    void accessLog(@Nullable LoopAccessLog log) {
        accessLog = log;
    }

    /** Starts what recurs, and what counts. */
    void startSweeping() {
        counters.loopCrypto(eventLoop.loopCrypto());
        lookForRecorderLater();
        threadId = Thread.currentThread().threadId();
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

    /** Somebody may begin to record what goes on, or cease to, at any time. */
    private void lookForRecorderLater() {
        eventLoop.schedule(RECORDER_LOOK_MILLIS, () -> {
            Flight.look();
            FlightEvents events = Flight.events();
            boolean wanted = events != null && events.recordsSlowTurns();
            if (wanted != turnsWatched) {
                turnsWatched = wanted;
                eventLoop.watchTurns(events != null && wanted ? events.watcher(eventLoop.name()) : null);
            }
            lookForRecorderLater();
        });
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
        boolean proxied = served.intake().isProxy(peer.getAddress());
        LoopAccessLog log = accessLog;
        ConnectionRecord record = log == null ? null : log.begin(peer, served.name(), nanoTime());
        SessionEnd refusal = enter(served, proxied ? null : peer.getAddress());
        if (refusal != null) {
            connection.abort();
            FlightReport.refused(peer, refusal);
            ended(refusal, () -> peer, record);
            return;
        }
        Session session = new Session(this, served, connection, !proxied, record);
        sessions.add(session);
        connection.handler(session); // whatever fails from here on, its end gives back what was counted
        if (served.intake().proxiedFrom().isEmpty()) {
            new Newcomer(this, served, connection, session, peer.getAddress()).start();
        } else {
            new ProxiedClient(this, served, connection, session, proxied).start();
        }
    }

    private @Nullable SessionEnd enter(ServedListener served, @Nullable InetAddress client) {
        if (!served.enter()) {
            return SessionEnd.listenerLimit(served.intake().connections());
        }
        Verdict verdict = admission.enter(client);
        if (verdict == Verdict.ADMITTED) {
            return null;
        }
        served.left();
        return SessionEnd.refused(verdict, admission);
    }

    /** It is known now for whom a proxy has connected: why that client is not let in; null when it is. */
    @Nullable
    SessionEnd identify(Session session, ProxyHeader header) {
        session.proxied(header);
        Verdict verdict = admission.identified(session.peer().getAddress());
        if (verdict != Verdict.ADMITTED) {
            return SessionEnd.refused(verdict, admission);
        }
        session.countedByAddress();
        return null;
    }

    /** Nothing of a session is held any more. */
    void onSessionOver(Session session, SessionEnd end) {
        sessions.remove(session);
        // To decode an address makes garbage, and hardly any session's is asked for.
        boolean counted = session.isCountedByAddress() && admission.perAddressMax() > 0;
        admission.left(counted ? session.peer().getAddress() : null);
        session.listener().left();
        try {
            ended(end, session::peer, session.record());
        } finally {
            completeDrain();
        }
    }

    private void ended(SessionEnd end, Supplier<InetSocketAddress> peer, @Nullable ConnectionRecord record) {
        LoopAccessLog log = accessLog;
        if (record != null && log != null) {
            log.write(record, end.reason(), nanoTime());
        }
        if (!end.isClean() && !failures.leavesOut(end.reason())) {
            failures.report(end.fault(), end.reason(), "client " + BackendConfig.text(peer.get()), end.message());
        }
        counters.ended(end.reason());
    }

    // --- the end
    // ------------------------------------------------------------------------------------------------------

    /** Listens no more; once. */
    void stopListening() {
        listening = listeners.size();
        if (listeners.isEmpty()) {
            onAllStopped();
        }
        listeners.forEach(socket -> socket.stop(this::onStopped));
    }

    private void onStopped() {
        if (--listening == 0) {
            onAllStopped();
        }
    }

    private void onAllStopped() {
        draining = true;
        stopped.complete(null);
        completeDrain();
    }

    /** Completed when nobody is accepted any more after {@link #stopListening()}. */
    CompletableFuture<Void> stopped() {
        return stopped;
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
        pools.values().forEach(BackendPool::free);
        pools.clear();
        counters.close();
    }

    private void completeDrain() {
        if (draining && sessions.isEmpty()) {
            drained.complete(null);
        }
    }
}
