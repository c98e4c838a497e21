package dev.sluice.cost.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** CPU time of the calling thread in nanoseconds, and what it costs to ask for it. */
final class CpuClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LOOKS = 2_001;

    private final long overhead;

    /** Finds out what a look costs. */
    CpuClock() {
        long[] looks = new long[LOOKS];
        for (int i = 0; i < LOOKS; i++) {
            long before = now();
            looks[i] = now() - before;
        }
        Arrays.sort(looks);
        this.overhead = looks[LOOKS / 2];
    }

    /** User and system time of this thread. */
    long now() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** CPU time since a look, without what one look costs. */
    long since(long before) {
        return Math.max(0, now() - before - overhead);
    }
}
