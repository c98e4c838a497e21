package dev.sluice.bench.endurance;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import java.util.List;

/**
 * The figures of the gateway and of its honest clients at one time.
 *
 * @param second time since the start of the run
 * @param traffic the clients' figures since the moment before
 * @param figures the gateway's resources; its resident memory is that of all its processes
 * @param page the newest process's metrics
 * @param processes number of the gateway's processes: more than one while an old one drains
 */
record Moment(long second, Answer traffic, GatewayFigures figures, MetricsPage page, int processes) {
    static final Metric P99 = Metric.cost("message_p99_micros", "message p99 µs");
    static final Metric P50 = Metric.cost("message_p50_micros", "p50 µs");
    static final Metric RESIDENT = Metric.cost("resident_mib", "RSS MiB");
    static final Metric DESCRIPTORS = Metric.cost("descriptors", "descriptors");
    static final Metric CONNECTIONS = Metric.rate("connections", "connections");
    static final Metric HANDLES = Metric.cost("native_handles", "native handles");
    private static final Metric MESSAGES = Metric.rate("messages", "messages");
    private static final Metric VISITS = Metric.rate("visits", "visits");
    private static final Metric COPIED = Metric.rate("echoed_mib", "echoed MiB");
    private static final Metric BROKEN = Metric.cost("broken", "broken");
    private static final Metric PROCESSES = Metric.cost("processes", "processes");

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MIB = 1024.0 * 1024;

    /** Returns the metrics beside the primary one, {@link #P99}. */
    static List<Metric> others() {
        return List.of(P50, RESIDENT, DESCRIPTORS, CONNECTIONS, HANDLES, MESSAGES, VISITS, COPIED, BROKEN, PROCESSES);
    }

    /** Returns the figures for the result log. */
    Sample sample() {
        return Sample.of(P99, traffic.number("p99") / NANOS_PER_MICRO)
                .with(P50, traffic.number("p50") / NANOS_PER_MICRO)
                .with(RESIDENT, resident())
                .with(DESCRIPTORS, (double) figures.descriptors())
                .with(CONNECTIONS, (double) figures.sessions())
                .with(HANDLES, (double) handles())
                .with(MESSAGES, traffic.number("messages"))
                .with(VISITS, traffic.number("visits"))
                .with(COPIED, traffic.number("echoed") / MIB)
                .with(BROKEN, traffic.number("broken"))
                .with(PROCESSES, processes);
    }

    /** Returns the resident memory in MiB. */
    double resident() {
        return figures.resident() / MIB;
    }

    private long handles() {
        return figures.handles().values().stream().mapToLong(Long::longValue).sum();
    }
}
