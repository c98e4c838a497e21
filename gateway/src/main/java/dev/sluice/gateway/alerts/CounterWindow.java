package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * The increases of counters within a window. Keeps sums, not snapshots. A counter that decreases, because it was reset
 * or a series disappeared, has not increased meanwhile.
 *
 * <p>Confined to one thread at a time.
 */
final class CounterWindow {
    private final long lengthNanos;
    /** Oldest first. The first one may be older than the window: the others are compared with it. */
    private final Deque<Row> rows = new ArrayDeque<>();

    private Map<Tally, Double> last = Map.of();

    /**
     * Sums at one time.
     *
     * @param risen increase of each counter since the first snapshot
     */
    private record Row(long nanos, Map<Tally, Double> risen) {}

    /**
     * Creates a counter window.
     *
     * @param length of the window
     */
    CounterWindow(Duration length) {
        this.lengthNanos = length.toNanos();
    }

    /**
     * Adds a snapshot.
     *
     * @param nanos when it was read, by {@link System#nanoTime()}
     */
    void add(MetricSnapshot snapshot, long nanos) {
        Map<Tally, Double> risen = new EnumMap<>(Tally.class);
        Map<Tally, Double> current = new EnumMap<>(Tally.class);
        for (Tally tally : Tally.values()) {
            double now = tally.on(snapshot);
            double step = Math.max(0, now - last.getOrDefault(tally, now));
            current.put(tally, now);
            risen.put(tally, newest(tally) + step);
        }
        last = current;
        rows.addLast(new Row(nanos, risen));
        while (rows.size() > 2 && secondIsOldEnough(nanos)) {
            rows.removeFirst();
        }
    }

    private boolean secondIsOldEnough(long nanos) {
        var rest = rows.iterator();
        rest.next();
        return nanos - rest.next().nanos() >= lengthNanos;
    }

    private double newest(Tally tally) {
        return rows.isEmpty() ? 0 : rows.getLast().risen().getOrDefault(tally, 0.0);
    }

    /** Returns a counter's increase in the window, or since the first snapshot if that is more recent. */
    double increase(Tally tally) {
        return rows.isEmpty() ? 0 : newest(tally) - rows.getFirst().risen().getOrDefault(tally, 0.0);
    }

    /** Returns a counter's rate per second in the window; NaN before the second snapshot. */
    double rate(Tally tally) {
        return increase(tally) / seconds();
    }

    /**
     * Returns the ratio of one counter's increase to that of others; NaN if the others increased by less than a
     * minimum.
     */
    double share(Tally part, int minimum, Tally... all) {
        double sum = 0;
        for (Tally tally : all) {
            sum += increase(tally);
        }
        return sum < minimum ? Double.NaN : increase(part) / sum;
    }

    /** Returns the time in seconds between the oldest and the newest snapshot; NaN before the second one. */
    private double seconds() {
        return rows.size() < 2
                ? Double.NaN
                : (rows.getLast().nanos() - rows.getFirst().nanos()) / 1e9;
    }
}
