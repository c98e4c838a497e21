package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.Latencies;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.Usage;
import java.util.List;
import java.util.Locale;

/**
 * The latency of small round trips at a rate with headroom for every server.
 *
 * @param terminator the measured server
 * @param rate the common rate
 * @param units round trips per round
 */
record LatencyTreatment(Terminator terminator, HalfLoad rate, long units, Fleet fleet, LoadProcess load)
        implements Treatment {
    static final Metric P50 = Metric.cost("p50_micros", "p50 µs");
    static final Metric P99 = Metric.cost("p99_micros", "p99 µs").withRatio();
    static final Metric P999 = Metric.cost("p999_micros", "p99.9 µs").withRatio();
    static final Metric LATE = Metric.cost("load_late_p99_micros", "load late p99 µs");

    /** The preceding echo phase has warmed up the servers. */
    static final int WARMUPS = 1;

    private static final int CONNECTIONS = 64;
    private static final double SECONDS = 1.0;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(P50, P99, P999, LoadPhase.SERVER_BUSY, LATE);
    }

    static String title(HalfLoad rate) {
        return String.format(
                Locale.ROOT,
                "Latency: 128 bytes there and back over %d connections at %,.0f per second, half the capacity of "
                        + "%s; from the scheduled time of each",
                CONNECTIONS,
                rate.perSecond(),
                rate.of().name());
    }

    static LatencyTreatment of(Terminator terminator, HalfLoad rate, Effort effort, Fleet fleet, LoadProcess load) {
        long units = (long) (rate.perSecond() * SECONDS / effort.workDivisor());
        return new LatencyTreatment(terminator, rate, Math.max(1, units), fleet, load);
    }

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public void start() {
        fleet.running(terminator);
    }

    @Override
    public Sample round() {
        Fleet.Member server = fleet.running(terminator);
        load.prepare(new LoadRequest(
                Scenario.Kind.PACED, server.port(), terminator.tls(), CONNECTIONS, units, rate.perSecond()));
        List<Long> tree = server.process().tree();
        double before = Usage.cpuNanos(tree);
        LoadProcess.Paced done = load.goPaced();
        double used = Usage.cpuNanos(tree) - before;
        load.finish();
        return sample(done.latencies()).with(LoadPhase.SERVER_BUSY, used / done.nanos());
    }

    private static Sample sample(Latencies latencies) {
        return Sample.of(P50, latencies.p50() / NANOS_PER_MICRO)
                .with(P99, latencies.p99() / NANOS_PER_MICRO)
                .with(P999, latencies.p999() / NANOS_PER_MICRO)
                .with(LATE, latencies.late() / NANOS_PER_MICRO);
    }
}
