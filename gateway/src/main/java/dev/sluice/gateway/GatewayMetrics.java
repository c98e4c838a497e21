package dev.sluice.gateway;

import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.gateway.metrics.MetricSource;
import dev.sluice.gateway.metrics.PageBuilder;
import dev.sluice.gateway.metrics.ProcessMetrics;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a gateway, read when they are asked for. Nothing waits for that but the one who asks: loops write their
 * counters and know nothing of it. What it takes does not depend on how many connections there are.
 */
final class GatewayMetrics implements MetricSource {
    private final Supplier<List<Part>> made;
    private final InstantSource clock;
    private @Nullable List<Part> parts;

    /** Some of the metrics. */
    @FunctionalInterface
    interface Part {
        /** Reads them now; by any thread. */
        void collect(PageBuilder page);
    }

    /** @param made makes the parts, when somebody asks for the first time: a start has no use for them */
    GatewayMetrics(Supplier<List<Part>> made, InstantSource clock) {
        this.made = made;
        this.clock = clock;
    }

    @Override
    public MetricPage read() {
        PageBuilder page = new PageBuilder();
        parts().forEach(part -> part.collect(page));
        ProcessMetrics.collect(page);
        return page.build(clock.instant());
    }

    private synchronized List<Part> parts() {
        List<Part> known = parts;
        if (known == null) {
            known = List.copyOf(made.get());
            parts = known;
        }
        return known;
    }
}
