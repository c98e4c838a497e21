package dev.sluice.gateway.admission;

/**
 * The clock by which clients wait for their handshakes. While somebody waits the loop reads it each few milliseconds.
 * It stands while the loop is stalled (the process was stopped, the machine slept, a collection took long): of the time
 * between two readings no more than a step counts. So nobody is refused because the loop was late, and a loop that
 * always is refuses after a bounded number of readings.
 *
 * <p>Confined to its loop. It runs from the first reading on; while nobody waits what it shows means nothing.
 */
final class WaitClock {
    private final long stepMaxNanos;
    private long readNanos;
    private long nanos;

    /**
     * Creates a wait clock.
     *
     * @param stepMaxNanos the most that counts between two readings
     */
    WaitClock(long stepMaxNanos, long now) {
        this.stepMaxNanos = stepMaxNanos;
        this.readNanos = now;
    }

    /**
     * Reads this clock.
     *
     * @param now as of {@link System#nanoTime()}
     */
    long read(long now) {
        nanos += Math.min(now - readNanos, stepMaxNanos);
        readNanos = now;
        return nanos;
    }
}
