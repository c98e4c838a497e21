package dev.sluice.cost.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** The CPU time of the calling thread in nanoseconds, with the cost of reading it. */
final class CpuClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LOOKS = 2_001;

    private final long overhead;

    /** Creates a clock and measures the cost of one reading. */
    CpuClock() {
        long[] looks = new long[LOOKS];
        for (int i = 0; i < LOOKS; i++) {
            long before = now();
            looks[i] = now() - before;
        }
        Arrays.sort(looks);
        this.overhead = looks[LOOKS / 2];
    }

    /** Returns the user and system time of this thread. */
    long now() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Returns the CPU time since a reading, without the cost of one reading. */
    long since(long before) {
        return Math.max(0, now() - before - overhead);
    }
}
