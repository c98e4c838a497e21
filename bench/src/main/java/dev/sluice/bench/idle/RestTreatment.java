package dev.sluice.bench.idle;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Site;
import java.util.List;

/**
 * A server with many resting connections: fresh processes open a part of them, which covers one-time set-up, and then
 * all; memory is the growth in between, divided by the number. Afterwards the servers are terminated.
 *
 * @param server the measured server
 * @param connections all connections
 * @param restMillis duration of the rest in which CPU time is measured
 */
record RestTreatment(Site site, RestingServer server, int connections, long restMillis) implements Treatment {
    static final Metric SERVER = Metric.cost("server_kib", "server KiB each");
    static final Metric HEAP = Metric.cost("heap_kib", "of it live heap");
    static final Metric KERNEL = Metric.cost("kernel_kib", "kernel KiB each, 4 sockets");
    static final Metric CROWD = Metric.cost("crowd_kib", "client and backend KiB each");
    static final Metric RESIDENT = Metric.cost("resident_mib", "servers' RSS MiB");
    static final Metric PROCESSES = Metric.cost("processes", "servers");
    static final Metric OPENED = Metric.rate("opened_per_second", "opened/s");
    static final Metric BUSY_BEFORE = Metric.cost("few_busy_percent", "CPU % few");
    static final Metric BUSY = Metric.cost("all_busy_percent", "CPU % all");
    static final Metric P50_BEFORE = Metric.cost("few_p50_micros", "p50 µs few");
    static final Metric P50 = Metric.cost("all_p50_micros", "p50 µs all");
    static final Metric P99_BEFORE = Metric.cost("few_p99_micros", "p99 µs few");
    static final Metric P99 = Metric.cost("all_p99_micros", "p99 µs all");
    static final Metric DRAIN = Metric.cost("drain_millis", "drain ms");

    /** The part that is open before the others are counted. */
    static final double FEW = 0.2;

    private static final double KIB = 1024;
    private static final double MIB = 1024 * KIB;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(
                SERVER,
                HEAP,
                KERNEL,
                CROWD,
                RESIDENT,
                PROCESSES,
                OPENED,
                BUSY_BEFORE,
                BUSY,
                P50_BEFORE,
                P50,
                P99_BEFORE,
                P99,
                DRAIN);
    }

    @Override
    public Identity identity() {
        return server.identity();
    }

    @Override
    public Sample round() throws InterruptedException {
        try (RestingHall hall = RestingHall.open(site, server, connections)) {
            hall.fill(FEW);
            // Twice: the JIT compiler's memory after the first connections must be free before it can be returned.
            Thread.sleep(2 * server.settleMillis());
            RestFigures few = hall.figures(restMillis);
            long nanos = hall.fill(1);
            Thread.sleep(server.settleMillis());
            RestFigures all = hall.figures(restMillis);
            hall.requireAllOpen();
            return sample(few, all)
                    .with(PROCESSES, hall.size())
                    .with(OPENED, (all.opened() - few.opened()) / (nanos / NANOS_PER_SECOND))
                    .with(DRAIN, hall.drain() / NANOS_PER_MILLI);
        }
    }

    /** Returns the growth per connection, and what is true of all. */
    static Sample sample(RestFigures few, RestFigures all) {
        double counted = (all.opened() - few.opened()) * KIB;
        return Sample.of(SERVER, (all.server() - few.server()) / counted)
                .with(HEAP, (all.heap() - few.heap()) / counted)
                .with(KERNEL, (all.slab() - few.slab()) / counted)
                .with(CROWD, (all.crowd() - few.crowd()) / counted)
                .with(RESIDENT, all.resident() / MIB)
                .with(BUSY_BEFORE, few.busy() * PERCENT)
                .with(BUSY, all.busy() * PERCENT)
                .with(P50_BEFORE, few.p50() / NANOS_PER_MICRO)
                .with(P50, all.p50() / NANOS_PER_MICRO)
                .with(P99_BEFORE, few.p99() / NANOS_PER_MICRO)
                .with(P99, all.p99() / NANOS_PER_MICRO);
    }
}
