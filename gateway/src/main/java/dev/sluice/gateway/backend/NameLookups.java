package dev.sluice.gateway.backend;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of lookups of names, which are there only while there are names. A resolver blocks for seconds when DNS
 * is silent, and nothing interrupts the C library's: so there is a bound on how many it may hold. Thread-safe.
 */
final class NameLookups implements AutoCloseable {
    /** Lookups under way at a time; more of them wait. */
    static final int THREADS_MAX = 4;

    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor threads;

    NameLookups() {
        this.threads = new ScheduledThreadPoolExecutor(
                THREADS_MAX, Thread.ofPlatform().daemon().name("resolve-", 0).factory());
        threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setRemoveOnCancelPolicy(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs a task that looks names up, and throws nothing; without effect once this is closed. */
    void later(long millis, Runnable task) {
        try {
            var _ = threads.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // Nobody waits for answers any more.
        }
    }

    /** Ends; a lookup under way ends when the resolver lets it. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
