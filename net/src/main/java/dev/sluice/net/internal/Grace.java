package dev.sluice.net.internal;

import java.util.concurrent.TimeUnit;

/**
 * The time in which timers wait after the loop stood still: the process or its machine was stopped, or a turn took very
 * long. By the clock, every time limit of a connection may be over then, whose bytes the loop had no chance to read.
 * They come first, and so do the answers of peers to what the loop sends now.
 */
final class Grace {
    /** The delay of a timer that shows a standstill. */
    static final long STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** For how long timers wait then. */
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private boolean granted;
    private long untilNanos;

    /**
     * Returns whether timers wait.
     *
     * @param overdueNanos for how long the first timer has been due
     * @param now {@link System#nanoTime()}
     */
    boolean holds(long overdueNanos, long now) {
        if (granted) {
            granted = now - untilNanos < 0;
            return granted; // at its end they run, however late they are by now
        }
        if (overdueNanos < STANDSTILL_NANOS) {
            return false;
        }
        granted = true;
        untilNanos = now + GRACE_NANOS;
        return true;
    }

    /** Returns the milliseconds until timers run again, rounded up; 0 when they do. */
    long millisLeft(long now) {
        if (!granted || now - untilNanos >= 0) {
            return 0;
        }
        return (untilNanos - now - 1) / TimeUnit.MILLISECONDS.toNanos(1) + 1;
    }
}
