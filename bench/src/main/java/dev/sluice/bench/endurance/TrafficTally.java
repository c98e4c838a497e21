package dev.sluice.bench.endurance;

import dev.sluice.bench.load.Latencies;
import java.util.Arrays;

/** The work of the honest clients since it was last read. For all of their threads. */
final class TrafficTally {
    private static final int FIRST_CAPACITY = 1 << 14;
    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    private long[] nanos = new long[FIRST_CAPACITY];
    private int messages;
    private long visits;
    private long echoedBytes;
    private long broken;
    private long lostWithBackend;

    synchronized void message(long latencyNanos) {
        if (messages == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * nanos.length);
        }
        nanos[messages++] = latencyNanos;
    }

    synchronized void visit() {
        visits++;
    }

    synchronized void echoed(long bytes) {
        echoedBytes += bytes;
    }

    /** Counts a connection that broke, for no reason that its client knows. */
    synchronized void broken() {
        broken++;
    }

    /** Counts a connection that broke when its backend failed. */
    synchronized void lostWithBackend() {
        lostWithBackend++;
    }

    /** Returns the figures as the words of an answer, and starts anew. */
    synchronized String take() {
        long[] sorted = Arrays.copyOf(nanos, Math.max(1, messages));
        Arrays.sort(sorted);
        String words = "messages=" + messages + " p50=" + Latencies.percentile(sorted, MEDIAN) + " p99="
                + Latencies.percentile(sorted, TAIL) + " visits=" + visits + " echoed=" + echoedBytes + " broken="
                + broken + " lost=" + lostWithBackend;
        messages = 0;
        visits = 0;
        echoedBytes = 0;
        broken = 0;
        lostWithBackend = 0;
        nanos[0] = 0;
        return words;
    }
}
