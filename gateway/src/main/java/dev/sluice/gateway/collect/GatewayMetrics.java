package dev.sluice.gateway.collect;

import dev.sluice.gateway.metrics.MetricCollector;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.metrics.ProcessMetrics;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of a gateway's metric snapshots. Only the caller waits for one: loops write their counters and do not
 * notice. Its cost does not depend on the number of connections. Thread-safe.
 */
public final class GatewayMetrics implements Supplier<MetricSnapshot> {
    private final Supplier<List<MetricCollector>> maker;
    private final InstantSource clock;
    private @Nullable List<MetricCollector> collectors;

    /**
     * Creates a source of snapshots.
     *
     * @param maker makes the collectors for the first snapshot: a start does not need them
     */
    public GatewayMetrics(Supplier<List<MetricCollector>> maker, InstantSource clock) {
        this.maker = maker;
        this.clock = clock;
    }

    /** Reads all metrics now. */
    @Override
    public MetricSnapshot get() {
        MetricSnapshot.Builder snapshot = new MetricSnapshot.Builder();
        collectors().forEach(collector -> collector.collect(snapshot));
        ProcessMetrics.collect(snapshot);
        return snapshot.build(clock.instant());
    }

    private synchronized List<MetricCollector> collectors() {
        List<MetricCollector> made = collectors;
        if (made == null) {
            made = List.copyOf(maker.get());
            collectors = made;
        }
        return made;
    }
}
