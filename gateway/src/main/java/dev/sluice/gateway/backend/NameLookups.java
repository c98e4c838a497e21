package dev.sluice.gateway.backend;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Lookups of names, now and later, on a few threads of its own, which are there only while there are names. The C
 * library's resolver blocks for seconds when DNS is silent, and nothing interrupts it: so there is a bound on how many
 * it may hold. Thread-safe.
 */
public final class NameLookups implements AutoCloseable {
    /** Lookups under way at a time; more of them wait. */
    static final int THREADS_MAX = 4;

    private static final long IDLE_SECONDS = 10;

    private final Lookup lookup;
    private final ScheduledThreadPoolExecutor threads;

    /** A resolver. */
    @FunctionalInterface
    public interface Lookup {
        /** The resolver of this machine: DNS, /etc/hosts. */
        Lookup SYSTEM = InetAddress::getAllByName;

        /** Returns all addresses of a name, at least one. */
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    NameLookups(Lookup lookup) {
        this.lookup = lookup;
        this.threads = new ScheduledThreadPoolExecutor(
                THREADS_MAX, Thread.ofPlatform().daemon().name("resolve-", 0).factory());
        threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setRemoveOnCancelPolicy(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Looks a name up, on the calling thread, which is one of those that {@link #later} runs tasks on. */
    InetAddress[] addresses(String name) throws UnknownHostException {
        return lookup.addresses(name);
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
