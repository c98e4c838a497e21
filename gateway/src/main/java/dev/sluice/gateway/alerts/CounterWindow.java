package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.MetricPage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * By how much counters have gone up of late. Keeps sums only, not pages. A counter that goes down, since it began anew or a
 * series of it has gone, has not gone up meanwhile.
 *
 * <p>Confined to one thread at a time.
 */
final class CounterWindow {
    private final long lengthNanos;
    /** Oldest first. The first one may be older than the window: it is what the others are compared with. */
    private final Deque<Row> rows = new ArrayDeque<>();

    private Map<Tally, Double> last = Map.of();

    /**
     * Sums at one time.
     *
     * @param risen how much each has gone up since the first page
     */
    private record Row(long nanos, Map<Tally, Double> risen) {}

    /** @param length over which increases are told */
    CounterWindow(Duration length) {
        this.lengthNanos = length.toNanos();
    }

    /**
     * Takes up another page.
     *
     * @param nanos when it was read, by {@link System#nanoTime()}
     */
    void add(MetricPage page, long nanos) {
        Map<Tally, Double> risen = new EnumMap<>(Tally.class);
        Map<Tally, Double> current = new EnumMap<>(Tally.class);
        for (Tally tally : Tally.values()) {
            double now = tally.on(page);
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

    /** By how much a counter has gone up in the window, or since the first page where that is shorter ago. */
    double increase(Tally tally) {
        return rows.isEmpty() ? 0 : newest(tally) - rows.getFirst().risen().getOrDefault(tally, 0.0);
    }

    /** The same per second; NaN before the second page. */
    double rate(Tally tally) {
        return increase(tally) / seconds();
    }

    /** The share of one counter's increase in that of others; NaN where the others have gone up by less than a minimum. */
    double share(Tally part, int minimum, Tally... all) {
        double sum = 0;
        for (Tally tally : all) {
            sum += increase(tally);
        }
        return sum < minimum ? Double.NaN : increase(part) / sum;
    }

    /** How long the time is over which increases are told; NaN before the second page. */
    private double seconds() {
        return rows.size() < 2
                ? Double.NaN
                : (rows.getLast().nanos() - rows.getFirst().nanos()) / 1e9;
    }
}
