package dev.sluice.gateway.backend;

import dev.sluice.config.model.HealthConfig;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.EventLoop;
import dev.sluice.net.Timer;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The periodic health check of one server. Runs on a loop, by the same calls as clients' connections, so it sees what
 * they would see, including OpenSSL, trust, sessions and header, and needs no thread of its own. It costs the loop a
 * connection every few seconds. Confined to the loop's thread, except {@link #stop()} after the loop has ended.
 */
public final class HealthCheck implements HealthProbe.Verdict {
    /**
     * The part of the interval, as a divisor, by which a check may be early or late, so that nodes do not check in
     * step.
     */
    private static final int JITTER_PART = 10;

    private final EventLoop loop;
    private final BackendPool pool;
    private final PoolServer server;
    private final HealthConfig config;
    private final LoopCounters counters;
    private final LongSupplier nanoTime;
    private @Nullable Timer timer;
    private boolean stopped;

    public HealthCheck(
            EventLoop loop, BackendPool pool, PoolServer server, LoopCounters counters, LongSupplier nanoTime) {
        this.loop = loop;
        this.pool = pool;
        this.server = server;
        this.config = Objects.requireNonNull(pool.config().health());
        this.counters = counters;
        this.nanoTime = nanoTime;
    }

    /** The first comes within an interval. */
    void start() {
        later(ThreadLocalRandom.current().nextLong(config.interval().toMillis()));
    }

    private void later(long millis) {
        timer = loop.schedule(millis, this::check);
    }

    private void check() {
        timer = null;
        if (server.address() == null || isDisabled()) {
            later(); // down already, for want of an address, or in maintenance
            return;
        }
        server.count(Metric.BACKEND_HEALTH_CHECKS, counters);
        new HealthProbe(loop, pool, server, counters, nanoTime, this).start();
    }

    private boolean isDisabled() {
        PoolServers servers = pool.servers();
        int index = servers.indexOf(server);
        return index >= 0 && servers.health().standing().mode(index) == ServerMode.DISABLED;
    }

    @Override
    public void passed() {
        if (!stopped) {
            report((health, index) -> health.checkPassed(index, nanoTime.getAsLong()));
            later();
        }
    }

    /** Reports a result, unless DNS has just taken the server away. */
    private void report(Backends.Change result) {
        PoolServers servers = pool.servers();
        int index = servers.indexOf(server);
        if (index >= 0) {
            result.of(servers.health(), index);
        }
    }

    @Override
    public void failed(String problem) {
        if (!stopped) {
            server.count(Metric.BACKEND_HEALTH_CHECK_FAILURES, counters);
            report((health, index) -> health.checkFailed(index, nanoTime.getAsLong(), problem));
            later();
        }
    }

    @Override
    public void unknown() {
        if (!stopped) {
            later();
        }
    }

    private void later() {
        long interval = config.interval().toMillis();
        long jitter = interval / JITTER_PART;
        later(interval - jitter + ThreadLocalRandom.current().nextLong(2 * jitter + 1));
    }

    /** Asks no more. */
    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
