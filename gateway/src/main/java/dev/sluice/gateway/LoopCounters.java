package dev.sluice.gateway;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.tls.CutOver;
import dev.sluice.tls.DirectPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The counters of one loop: written by the loop alone, so that no addition needs a lock, and read by anybody. */
final class LoopCounters {
    private final EnumMap<Counter, Cell> cells = new EnumMap<>(Counter.class);
    private final Map<String, Cell> ends = new ConcurrentHashMap<>();
    private volatile @Nullable DirectPath directPath;

    /** One figure with one writer. */
    private static final class Cell {
        private static final VarHandle VALUE = value();

        private long value;

        private static VarHandle value() {
            try {
                return MethodHandles.lookup().findVarHandle(Cell.class, "value", long.class);
            } catch (ReflectiveOperationException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }

        void add(long amount) {
            VALUE.setOpaque(this, value + amount);
        }

        long get() {
            return (long) VALUE.getOpaque(this);
        }
    }

    LoopCounters() {
        for (Counter counter : Counter.values()) {
            cells.put(counter, new Cell());
        }
    }

    void increment(Counter counter) {
        add(counter, 1);
    }

    void add(Counter counter, long amount) {
        cell(counter).add(amount);
    }

    /** A handshake with a client is complete. */
    void handshakeComplete(HandshakeFacts handshake) {
        increment(handshake.info().resumed() ? Counter.HANDSHAKES_RESUMED : Counter.HANDSHAKES_FULL);
        add(Counter.HANDSHAKE_MICROS, handshake.info().handshakeMicros());
    }

    /** A client connection ended. */
    void ended(String reason) {
        increment(Counter.ENDED);
        ends.computeIfAbsent(reason, name -> new Cell()).add(1);
    }

    /** Lets the loop's path tell which connections leave libssl: it counts them itself. */
    void directPath(DirectPath path) {
        directPath = path;
    }

    long get(CutOver outcome) {
        DirectPath path = directPath;
        return path == null ? 0 : path.count(outcome);
    }

    long get(Counter counter) {
        return cell(counter).get();
    }

    Map<String, Long> ends() {
        Map<String, Long> result = new TreeMap<>();
        ends.forEach((reason, cell) -> result.put(reason, cell.get()));
        return result;
    }

    private Cell cell(Counter counter) {
        Cell cell = cells.get(counter);
        if (cell == null) {
            throw new IllegalStateException("no cell for " + counter);
        }
        return cell;
    }
}
