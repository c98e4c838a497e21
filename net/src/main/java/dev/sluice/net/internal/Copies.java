package dev.sluice.net.internal;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;

/** The one place in which bytes on their way are copied, so that each is counted. */
final class Copies {
    private Copies() {}

    /** Copies bytes, which the counter tells of; the ranges may overlap. */
    static void copy(LoopStatistics statistics, long from, long to, int count) {
        RawMemory.copy(from, to, count);
        statistics.add(Counter.BYTES_COPIED, count);
    }
}
