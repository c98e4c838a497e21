package dev.sluice.gateway;

import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSource;
import dev.sluice.gateway.metrics.PageBuilder;
import dev.sluice.gateway.metrics.ProcessMetrics;
import java.time.InstantSource;
import java.util.List;

/**
 * All metrics of a gateway, read when they are asked for. Nothing waits for that but the one who asks: loops write their
 * counters and know nothing of it. What it takes does not depend on how many connections there are.
 */
final class GatewayMetrics implements MetricSource {
    private final List<Part> parts;
    private final InstantSource clock;

    /** Some of the metrics. */
    @FunctionalInterface
    interface Part {
        /** Reads them now; by any thread. */
        void collect(PageBuilder page);
    }

    GatewayMetrics(List<Part> parts, InstantSource clock) {
        this.parts = List.copyOf(parts);
        this.clock = clock;
    }

    @Override
    public MetricPage read() {
        PageBuilder page = new PageBuilder();
        parts.forEach(part -> part.collect(page));
        ProcessMetrics.collect(page);
        return page.build(clock.instant());
    }
}
