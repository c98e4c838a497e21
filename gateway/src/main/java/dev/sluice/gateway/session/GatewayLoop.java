package dev.sluice.gateway.session;

import dev.sluice.config.model.AddressRules;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.gateway.accesslog.ConnectionRecord;
import dev.sluice.gateway.accesslog.LoopAccessLog;
import dev.sluice.gateway.admission.Admission;
import dev.sluice.gateway.admission.Admission.Verdict;
import dev.sluice.gateway.admission.HandshakeGate;
import dev.sluice.gateway.admission.Refusals;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.gateway.backend.BackendTarget;
import dev.sluice.gateway.backend.Backends;
import dev.sluice.gateway.backend.PoolChecks;
import dev.sluice.gateway.challenge.PendingChallenges;
import dev.sluice.gateway.earlydata.EarlyDataPolicies;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.flight.FlightEvents;
import dev.sluice.gateway.log.FailureLog;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.context.SharedContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's part of one event loop: its listeners, its TLS contexts, its sessions. Confined to the event loop's
 * thread but for the constructor and {@link #counters()}.
 */
public final class GatewayLoop {
    /** An idle connection is found within an eighth of its timeout. */
    static final int SWEEPS_PER_IDLE_TIMEOUT = 8;

    private static final long SWEEP_MILLIS_MIN = 10;
    /** The time between looks at the idle timeout while there is none. */
    private static final long NO_SWEEP_MILLIS = 10_000;

    /** Sessions swept in one turn: a fraction of a millisecond, even if none is in the processor's caches. */
    private static final int SWEEP_SLICE = 1_024;

    private static final long SLICE_PAUSE_MILLIS = 1;

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
    private final SessionTable<Session> sessions = new SessionTable<>();
    private final PendingChallenges challenges = new PendingChallenges();
    private List<ListeningSocket> listeners = List.of();
    private final Map<BackendConfig, BackendPool> pools = new HashMap<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    /** The number of listeners that have not stopped yet. */
    private int listening;

    private boolean draining;
    /** The thread, for its processor time; 0 before it is known. */
    private volatile long threadId;

    private @Nullable LoopAccessLog accessLog;
    private boolean turnsWatched;

    public GatewayLoop(
            EventLoop eventLoop,
            int number,
            GatewayConfig config,
            Admission admission,
            EarlyDataPolicies earlyData,
            Backends backends,
            GatewayLog log) {
        this(eventLoop, number, config, admission, earlyData, backends, log, System::nanoTime);
    }

    /**
     * Makes a loop that does not serve yet.
     *
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    public GatewayLoop(
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

    public EventLoop eventLoop() {
        return eventLoop;
    }

    LimitsConfig limits() {
        return limits;
    }

    public LoopCounters counters() {
        return counters;
    }

    /** Returns its thread's {@link Thread#threadId()}; 0 before it serves. May be called from any thread. */
    public long threadId() {
        return threadId;
    }

    public HandshakeGate gate() {
        return gate;
    }

    /** Returns the challenges of ACME servers that its connections answer. */
    public PendingChallenges challenges() {
        return challenges;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /**
     * Makes what a listener's connections are served by, with this loop's view of the backends.
     *
     * @param context the result's from now on; null for a listener without TLS
     */
    ServedListener served(InetSocketAddress address, @Nullable SharedContext context, ListenerConfig config) {
        Router router = new Router(config.routes().stream()
                .map(route -> new Router.Route(route, pool(route.backend())))
                .toList());
        return new ServedListener(address, context, router, config, admission.ofListener(config), this::unused);
    }

    /** Returns the loop's one view of a backend, however many routes lead to it. */
    private BackendPool pool(BackendConfig backend) {
        BackendTarget target = backends.target(backend);
        BackendPool known = pools.get(backend);
        if (known != null && known.target().equals(target)) {
            return known;
        }
        // An equal backend of an older configuration stays with the sessions that wait for it.
        BackendPool pool = newPool(target);
        pools.put(backend, pool);
        return pool;
    }

    private BackendPool newPool(BackendTarget target) {
        BackendConfig backend = target.config();
        BackendPool pool = new BackendPool(target, number);
        if (backend.health() != null) {
            pool.check(new PoolChecks(pool, eventLoop, number, loops, counters, nanoTime));
        }
        return pool;
    }

    /** Lets go of a backend that a session has held. */
    void release(BackendPool pool) {
        if (pool.release()) {
            unused(pool);
        }
    }

    private void unused(BackendPool pool) {
        pools.remove(pool.config(), pool);
        pool.free();
    }

    /** Returns its listeners. */
    public List<ListeningSocket> listeners() {
        return listeners;
    }

    /** Sets its listeners, which the caller has opened and set up, and its limits. */
    public void serves(List<ListeningSocket> sockets, GatewayConfig config) {
        listeners = List.copyOf(sockets);
        limits = config.limits();
        gate.limits(limits.handshakes());
    }

    /**
     * Sets the log of connections that are accepted from now on; null: none. Earlier ones are logged if they were to
     * be.
     */
    public void accessLog(@Nullable LoopAccessLog log) {
        accessLog = log;
    }

    /** Starts the recurring tasks and the counting. */
    public void startSweeping() {
        counters.loopCrypto(eventLoop.loopCrypto());
        lookForRecorderLater();
        threadId = Thread.currentThread().threadId();
        sweepIn(sweepMillis());
        flushLogLater();
    }

    private void sweepIn(long millis) {
        eventLoop.schedule(millis, () -> {
            if (!limits.idleTimeout().isZero()) {
                sessions.startSweep();
            }
            sweepSlice(nanoTime());
        });
    }

    private void sweepSlice(long begin) {
        if (sessions.sweep(SWEEP_SLICE, Session::onSweep)) {
            eventLoop.schedule(SLICE_PAUSE_MILLIS, () -> sweepSlice(begin));
        } else {
            long elapsed = TimeUnit.NANOSECONDS.toMillis(nanoTime() - begin);
            sweepIn(Math.max(sweepMillis() - elapsed, SLICE_PAUSE_MILLIS));
        }
    }

    private long sweepMillis() {
        long idleMillis = limits.idleTimeout().toMillis();
        return idleMillis == 0 ? NO_SWEEP_MILLIS : Math.max(idleMillis / SWEEPS_PER_IDLE_TIMEOUT, SWEEP_MILLIS_MIN);
    }

    /** Schedules a look for a Flight Recorder, which may start or stop at any time. */
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

    /** Runs a task on the loop's thread, and waits for it. */
    public void run(Runnable task) {
        call(() -> {
            task.run();
            return null;
        });
    }

    /** Calls a task on the loop's thread, and waits for its result. */
    public <T extends @Nullable Object> T call(Supplier<T> task) {
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

    /** Logs that a listener could not accept a connection. */
    void acceptFailed(ConnectionFailure failure) {
        failures.report(failure.fault(), failure.reason().label(), "listener", failure.message());
    }

    /** Lets a client in that has connected, or resets it. */
    void accept(ServedListener served, TcpConnection connection, InetSocketAddress peer) {
        counters.increment(Metric.CONNECTIONS_ACCEPTED);
        boolean fromProxy = served.acceptPolicy().isProxy(peer.getAddress());
        LoopAccessLog log = accessLog;
        ConnectionRecord record = log == null ? null : log.begin(peer, served.name(), nanoTime());
        SessionEnd refusal = enter(served, peer.getAddress(), fromProxy);
        if (refusal != null) {
            connection.abort();
            FlightReport.refused(peer, refusal);
            ended(refusal, () -> peer, record);
            return;
        }
        Session session = new Session(this, served, connection, !fromProxy, record);
        sessions.add(session);
        session.begin();
    }

    private @Nullable SessionEnd enter(ServedListener served, InetAddress peer, boolean fromProxy) {
        AddressRules addresses = served.acceptPolicy().addresses();
        if (!(fromProxy ? addresses.admitsProxy(peer) : addresses.admits(peer))) {
            return SessionEnd.ADDRESS_DENIED;
        }
        if (!served.enter()) {
            return SessionEnd.listenerLimit(served.acceptPolicy().connections());
        }
        Verdict verdict = admission.enter(fromProxy ? null : peer);
        if (verdict == Verdict.ADMITTED) {
            return null;
        }
        served.left();
        return Refusals.ofConnection(verdict, admission);
    }

    /**
     * Admits a client for whom a proxy has connected, by its address. Returns why it is refused; null when it is not.
     */
    @Nullable
    SessionEnd admit(InetAddress client) {
        Verdict verdict = admission.identified(client);
        return verdict == Verdict.ADMITTED ? null : Refusals.ofConnection(verdict, admission);
    }

    /** Counts the end of a session, of which nothing is held any more. */
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
            log.write(record, end.label(), nanoTime());
        }
        if (!end.isClean() && !failures.leavesOut(end.label())) {
            failures.report(end.fault(), end.label(), "client " + BackendConfig.text(peer.get()), end.message());
        }
        counters.ended(end);
    }

    // --- the end
    // ------------------------------------------------------------------------------------------------------

    /** Stops to listen. Called once. */
    public void stopListening() {
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

    /** Completed when no client is accepted any more after {@link #stopListening()}. */
    public CompletableFuture<Void> stopped() {
        return stopped;
    }

    /** Completed when no session is left after {@link #stopListening()}. */
    public CompletableFuture<Void> drained() {
        return drained;
    }

    /** Aborts all sessions. */
    public void abortAll(SessionEnd why) {
        sessions.forEach(session -> session.abort(why));
    }

    /** Frees what the loop used, after the end of the event loop. May be called from any thread then. */
    public void freeContexts() {
        listeners.forEach(ListeningSocket::freeContext);
        challenges.close();
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
