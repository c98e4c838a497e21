package dev.sluice.gateway;

import dev.sluice.ffi.CounterRegion;
import dev.sluice.tls.failure.EndReason;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Counters of ends: a slot for each pair of side and reason, so that counting is an addition at an index. Incremented
 * by the thread that owns the region, read by any.
 */
final class EndCounters {
    /** The slots that the counters take. */
    static final int SLOTS = EndSide.PAIRS;

    private final CounterRegion region;
    private final int firstSlot;

    /** Makes counters in {@link #SLOTS} slots of a region. */
    EndCounters(CounterRegion region, int firstSlot) {
        this.region = region;
        this.firstSlot = firstSlot;
    }

    /** Counts one end. */
    void increment(EndSide side, EndReason reason) {
        region.add(firstSlot + side.index(reason), 1);
    }

    /** Returns the counts that are not 0, by a key of side and reason; those with the same key are added up. */
    <K> Map<K, Long> sum(BiFunction<EndSide, EndReason, K> key) {
        Map<K, Long> sum = new HashMap<>();
        for (EndSide side : EndSide.values()) {
            for (EndReason reason : EndReason.values()) {
                long count = region.get(firstSlot + side.index(reason));
                if (count != 0) {
                    sum.merge(key.apply(side, reason), count, Long::sum);
                }
            }
        }
        return sum;
    }
}
