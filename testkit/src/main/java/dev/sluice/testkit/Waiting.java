package dev.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waits for events on another thread or in another process. */
public final class Waiting {
    /** The limit for what takes moments on an idle machine: it elapses only in a failing test. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private Waiting() {}

    /**
     * Returns as soon as the condition holds.
     *
     * @param limit maximum time; generous, since it elapses only in a failing test
     * @param complaint the failure message
     * @throws AssertionError when the condition does not hold within the limit
     */
    public static void until(Duration limit, BooleanSupplier condition, Supplier<String> complaint) {
        if (!holdsWithin(limit, condition)) {
            throw new AssertionError("after " + limit + ": " + complaint.get());
        }
    }

    /** Returns whether the condition becomes true within the limit. */
    public static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
