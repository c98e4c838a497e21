package dev.sluice.gateway.admin;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The counters of the last minute that the dashboard shows increases of: {@value #SNAPSHOTS_MAX} snapshots of
 * {@link #METRICS}, ten seconds apart. For one thread.
 */
final class LastMinute {
    private static final Set<Metric> METRICS =
            Snapshot.COUNTS.stream().map(Snapshot.Count::metric).collect(Collectors.toUnmodifiableSet());

    private static final int SNAPSHOTS_MAX = 6;

    private final Deque<MetricSnapshot> snapshots = new ArrayDeque<>(SNAPSHOTS_MAX);

    /** Adds a snapshot, ten seconds after the one before. */
    void add(MetricSnapshot snapshot) {
        if (snapshots.size() == SNAPSHOTS_MAX) {
            snapshots.removeFirst();
        }
        snapshots.addLast(snapshot.only(METRICS));
    }

    /** Returns the counters a minute ago, or the oldest ones if they are younger. */
    MetricSnapshot before(MetricSnapshot now) {
        return snapshots.isEmpty() ? now : snapshots.getFirst();
    }
}
