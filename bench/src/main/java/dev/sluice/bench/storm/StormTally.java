package dev.sluice.bench.storm;

import dev.sluice.bench.load.Latencies;
import java.util.Arrays;

/** The outcomes of a storm's clients. Confined to the loop's thread until the storm is over. */
final class StormTally {
    /** The outcome of a client. */
    enum Fate {
        /** The server has completed its part of the handshake, and for a resuming client an echo too. */
        SERVED,
        /** It was reset, ended, or could not connect. */
        REFUSED,
        /** It received nothing in time, and left. */
        LOST
    }

    private final long[] full = new long[Fate.values().length];
    private final long[] resuming = new long[Fate.values().length];
    private long[] refusalNanos = new long[1 << 14];
    private long[] resumedNanos = new long[1 << 14];
    private int refusals;
    private int resumed;
    private long notResumed;
    private long begun;
    private long nanos;

    void begun() {
        begun++;
    }

    /** Counts a resuming client that got a full handshake. */
    void notResumed() {
        notResumed++;
    }

    @SuppressWarnings("EnumOrdinal") // an array index
    void over(boolean resumes, Fate fate, long duration) {
        (resumes ? resuming : full)[fate.ordinal()]++;
        if (fate == Fate.REFUSED) {
            refusalNanos = with(refusalNanos, refusals++, duration);
        } else if (fate == Fate.SERVED && resumes) {
            resumedNanos = with(resumedNanos, resumed++, duration);
        }
    }

    void lasted(long duration) {
        nanos = duration;
    }

    /** Returns the number of finished clients. */
    long ended() {
        return Arrays.stream(full).sum() + Arrays.stream(resuming).sum();
    }

    /** Returns the number of started clients. */
    long all() {
        return begun;
    }

    private static long[] with(long[] figures, int count, long figure) {
        long[] room = count < figures.length ? figures : Arrays.copyOf(figures, count * 2);
        room[count] = figure;
        return room;
    }

    /** Returns the words of an answer; durations in nanoseconds. */
    @SuppressWarnings("EnumOrdinal")
    String toWords() {
        return "begun=" + begun + " nanos=" + nanos
                + " full_served=" + full[Fate.SERVED.ordinal()]
                + " full_refused=" + full[Fate.REFUSED.ordinal()]
                + " full_lost=" + full[Fate.LOST.ordinal()]
                + " resuming_served=" + resuming[Fate.SERVED.ordinal()]
                + " resuming_refused=" + resuming[Fate.REFUSED.ordinal()]
                + " resuming_lost=" + resuming[Fate.LOST.ordinal()]
                + " not_resumed=" + notResumed
                + percentiles("refusal", refusalNanos, refusals)
                + percentiles("resumed", resumedNanos, resumed);
    }

    private static String percentiles(String name, long[] figures, int count) {
        if (count == 0) {
            return "";
        }
        long[] sorted = Arrays.copyOf(figures, count);
        Arrays.sort(sorted);
        return " " + name + "_p50=" + Latencies.percentile(sorted, 0.5) + " " + name + "_p99="
                + Latencies.percentile(sorted, 0.99);
    }
}
