package dev.sluice.cli.gateway;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A watch that keeps garbage from accumulating in the old generation.
 *
 * <p>The young generation is small, so that some objects of connections that end soon are promoted. The serial
 * collector grows the old generation to the limit of the heap before it collects it: after 500,000 connections the
 * process held 350 MB that nothing used. So a collection is requested once the old generation has grown by its live
 * bytes and {@link #GROWTH_BYTES}; with few live objects it takes some milliseconds, and with many it is rare.
 *
 * <p>Confined to one thread.
 */
final class HeapWatch {
    /** The interval between two checks. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    /** Growth that is always allowed: it holds what tens of thousands of connections promote. */
    static final long GROWTH_BYTES = 32L << 20;

    private final LongSupplier usedBytes;
    private final Runnable collector;
    private long liveBytes;

    /**
     * Creates a watch.
     *
     * @param usedBytes returns the bytes in use in the old generation, live or not
     * @param collector collects it
     */
    HeapWatch(LongSupplier usedBytes, Runnable collector) {
        this.usedBytes = usedBytes;
        this.collector = collector;
        this.liveBytes = usedBytes.getAsLong();
    }

    /** Creates the watch of this process. The young generation counts, too: it is small. */
    static HeapWatch ofProcess() {
        Runtime runtime = Runtime.getRuntime();
        return new HeapWatch(() -> runtime.totalMemory() - runtime.freeMemory(), System::gc);
    }

    /** Collects when the old generation has grown too far since the last collection. */
    void look() {
        if (usedBytes.getAsLong() > 2 * liveBytes + GROWTH_BYTES) {
            collector.run();
            liveBytes = usedBytes.getAsLong();
        }
    }
}
