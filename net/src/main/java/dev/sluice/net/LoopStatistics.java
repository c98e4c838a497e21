package dev.sluice.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of a loop since its start. Written by the loop alone, readable from any thread at any time: each figure
 * is recent, and figures read together may differ by a few events.
 */
public final class LoopStatistics {
    /** The figures that are counted. */
    public enum Counter {
        /** Rounds of waiting and dispatching. */
        TURNS,
        /** Completions (io_uring) or operations done (epoll): what turns have found to dispatch. */
        EVENTS,
        /** System calls that wait for or move data: epoll_wait, recv, send, accept4, io_uring_enter. */
        SYSTEM_CALLS,
        /** Connections accepted. */
        ACCEPTED,
        /** Connections that could not be accepted. */
        ACCEPT_FAILURES,
        /** Connections that we opened. */
        CONNECTED,
        /** Connections that we could not open. */
        CONNECT_FAILURES,
        /** Connections that have ended, after having been accepted or connected. */
        CLOSED,
        /** Bytes received. */
        BYTES_RECEIVED,
        /** Bytes that the kernel took for sending. */
        BYTES_SENT,
        /** Bytes on their way that were copied in user space, other than by a cipher or by libssl: hardly any. */
        BYTES_COPIED,
        /** Receives that had to wait because all buffers were leased. */
        BUFFER_SHORTAGES,
        /** Exceptions that handlers, tasks and timers threw. */
        UNCAUGHT;

        @SuppressWarnings("EnumOrdinal") // a place in memory, never stored or sent
        private final int index = ordinal();
    }

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[Counter.values().length];

    /** Makes counters that stand at 0. */
    public LoopStatistics() {}

    /** Returns the value of a counter. */
    public long get(Counter counter) {
        return (long) COUNTS.getOpaque(counts, counter.index);
    }

    /** Connections that are open now. */
    public long openConnections() {
        return get(Counter.ACCEPTED) + get(Counter.CONNECTED) - get(Counter.CLOSED);
    }

    /** Counts one; on the loop's thread. */
    public void increment(Counter counter) {
        add(counter, 1);
    }

    /** Counts several; on the loop's thread. */
    public void add(Counter counter, long amount) {
        int index = counter.index;
        COUNTS.setOpaque(counts, index, counts[index] + amount);
    }
}
