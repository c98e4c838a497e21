package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of one loop: written by the loop alone, so that no addition needs a lock, and read by anybody. */
final class LoopCounters {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[Counter.values().length];
    private final Map<String, long[]> ends = new ConcurrentHashMap<>();

    void increment(Counter counter) {
        add(counter, 1);
    }

    void add(Counter counter, long amount) {
        int index = counter.ordinal();
        CELLS.setOpaque(cells, index, cells[index] + amount);
    }

    /** A client connection ended. */
    void ended(String reason) {
        increment(Counter.ENDED);
        long[] cell = ends.computeIfAbsent(reason, name -> new long[1]);
        CELLS.setOpaque(cell, 0, cell[0] + 1);
    }

    long get(Counter counter) {
        return (long) CELLS.getOpaque(cells, counter.ordinal());
    }

    Map<String, Long> ends() {
        Map<String, Long> result = new TreeMap<>();
        ends.forEach((reason, cell) -> result.put(reason, (long) CELLS.getOpaque(cell, 0)));
        return result;
    }
}
