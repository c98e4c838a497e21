package dev.sluice.gateway.backend;

import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.EventLoop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * The health checks of a backend that fall to one loop. Each server is checked by one loop, and all loops use the
 * result; which one follows from the server's address, so that it stays while other servers come and go. Confined to
 * the loop's thread, except {@link #stop()} after the loop has ended.
 */
public final class PoolChecks {
    private final BackendPool pool;
    private final EventLoop loop;
    private final int number;
    private final int loops;
    private final LoopCounters counters;
    private final LongSupplier nanoTime;
    private final Runnable onChange = this::followOnLoop;
    private final Map<PoolServer, HealthCheck> checks = new HashMap<>();

    /**
     * Makes checks that have not started.
     *
     * @param number the loop's number, from 0
     * @param loops the number of loops
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    public PoolChecks(
            BackendPool pool, EventLoop loop, int number, int loops, LoopCounters counters, LongSupplier nanoTime) {
        this.pool = pool;
        this.loop = loop;
        this.number = number;
        this.loops = loops;
        this.counters = counters;
        this.nanoTime = nanoTime;
    }

    /** Checks the servers from now on, also those that the backend gets later. */
    void start() {
        pool.target().follow(onChange);
        follow();
    }

    private void followOnLoop() {
        try {
            loop.execute(() -> {
                if (!pool.isFreed()) {
                    follow();
                }
            });
        } catch (RejectedExecutionException closed) {
            // Nothing is checked any more.
        }
    }

    private void follow() {
        List<PoolServer> servers = pool.servers().all();
        Set<PoolServer> gone = new HashSet<>(checks.keySet());
        for (PoolServer server : servers) {
            if (Math.floorMod(server.name().hashCode(), loops) == number) {
                gone.remove(server);
                checks.computeIfAbsent(server, this::started);
            }
        }
        for (PoolServer server : gone) {
            HealthCheck check = checks.remove(server);
            if (check != null) {
                check.stop();
            }
        }
    }

    private HealthCheck started(PoolServer server) {
        HealthCheck check = new HealthCheck(loop, pool, server, counters, nanoTime);
        check.start();
        return check;
    }

    /** Checks no more. */
    void stop() {
        pool.target().unfollow(onChange);
        checks.values().forEach(HealthCheck::stop);
        checks.clear();
    }
}
