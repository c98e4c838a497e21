package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.AwakeCores;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.Usage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A server in a handshake storm: the effect on established connections, and the outcomes of the storm's clients. First
 * measured without the storm.
 *
 * @param terminator the measured server
 * @param perSecond clients per second
 * @param millis duration of the measured storm
 * @param cores kept awake while there is no storm
 * @param established the process of established connections
 * @param storm the process of the storm's clients
 */
record StormTreatment(
        Terminator terminator,
        double perSecond,
        long millis,
        Cores cores,
        Fleet fleet,
        AskedProcess established,
        AskedProcess storm)
        implements Treatment {
    static final Metric TIMES = Metric.cost("p99_times", "p99 ×");
    static final Metric CALM_P50 = Metric.cost("calm_p50_micros", "calm p50 µs");
    static final Metric CALM_P99 = Metric.cost("calm_p99_micros", "calm p99 µs");
    static final Metric STORM_P50 = Metric.cost("storm_p50_micros", "storm p50 µs");
    static final Metric STORM_P99 = Metric.cost("storm_p99_micros", "storm p99 µs");
    static final Metric STORM_P999 = Metric.cost("storm_p999_micros", "storm p99.9 µs");
    static final Metric RESUMED = Metric.rate("resumed_share", "resumed served");
    static final Metric RESUMED_P99 = Metric.cost("resumed_p99_millis", "resumed p99 ms");
    static final Metric FULL = Metric.rate("full_share", "full served");
    static final Metric SERVED = Metric.rate("served_per_second", "served/s");
    static final Metric REFUSAL_P50 = Metric.cost("refusal_p50_millis", "refusal p50 ms");
    static final Metric REFUSAL_P99 = Metric.cost("refusal_p99_millis", "refusal p99 ms");
    static final Metric LOST = Metric.cost("lost_share", "unanswered");
    static final Metric COME = Metric.rate("come_per_second", "came/s");
    static final Metric SERVER_BUSY = LoadPhase.SERVER_BUSY;

    static final int CONNECTIONS = 64;
    static final double MESSAGES_PER_SECOND = 6_400;
    private static final int SESSIONS = 64;
    /** Messages that nobody measures: meanwhile the load's JIT compiler, which has their core, comes to its end. */
    private static final long WARM_UP_MILLIS = 1_000;
    /** The storm starts before the measurement, and ends after it. */
    private static final long LEAD_MILLIS = 500;

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(
                TIMES,
                CALM_P50,
                CALM_P99,
                STORM_P50,
                STORM_P99,
                STORM_P999,
                RESUMED,
                RESUMED_P99,
                FULL,
                REFUSAL_P50,
                REFUSAL_P99,
                LOST,
                SERVED,
                COME,
                SERVER_BUSY);
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
        established.ask("establish", server.port(), CONNECTIONS);
        storm.ask("sessions", server.port(), SESSIONS);
        try {
            return inStorm(server, calm());
        } finally {
            established.ask("dismiss");
        }
    }

    private Answer calm() {
        AwakeCores awake = AwakeCores.keep(cores);
        try (awake) {
            established.ask("probe", WARM_UP_MILLIS, MESSAGES_PER_SECOND);
            return established.ask("probe", millis, MESSAGES_PER_SECOND);
        }
    }

    private Sample inStorm(Fleet.Member server, Answer calm) {
        CompletableFuture<Answer> blowing = CompletableFuture.supplyAsync(
                () -> storm.ask("storm", server.port(), millis + 2 * LEAD_MILLIS, perSecond));
        pause(LEAD_MILLIS);
        double before = Usage.cpuNanos(server.process().tree());
        long begin = System.nanoTime();
        Answer stormy = established.ask("probe", millis, MESSAGES_PER_SECOND);
        double used = Usage.cpuNanos(server.process().tree()) - before;
        long nanos = System.nanoTime() - begin;
        try {
            return sample(calm, stormy, blowing.join()).with(SERVER_BUSY, used / nanos);
        } catch (CompletionException e) {
            throw new BenchException("the storm failed: " + e.getMessage(), e);
        }
    }

    static Sample sample(Answer calm, Answer stormy, Answer storm) {
        double full = storm.number("full_served") + storm.number("full_refused") + storm.number("full_lost");
        double resuming =
                storm.number("resuming_served") + storm.number("resuming_refused") + storm.number("resuming_lost");
        double really = storm.number("resuming_served") - storm.number("not_resumed");
        double seconds = storm.number("nanos") / NANOS_PER_SECOND;
        return Sample.of(TIMES, stormy.number("p99") / calm.number("p99"))
                .with(CALM_P50, calm.number("p50") / NANOS_PER_MICRO)
                .with(CALM_P99, calm.number("p99") / NANOS_PER_MICRO)
                .with(STORM_P50, stormy.number("p50") / NANOS_PER_MICRO)
                .with(STORM_P99, stormy.number("p99") / NANOS_PER_MICRO)
                .with(STORM_P999, stormy.number("p999") / NANOS_PER_MICRO)
                .with(RESUMED, really / resuming)
                .with(RESUMED_P99, storm.number("resumed_p99", 0) / NANOS_PER_MILLI)
                .with(FULL, storm.number("full_served") / full)
                .with(REFUSAL_P50, storm.number("refusal_p50", 0) / NANOS_PER_MILLI)
                .with(REFUSAL_P99, storm.number("refusal_p99", 0) / NANOS_PER_MILLI)
                .with(LOST, (storm.number("full_lost") + storm.number("resuming_lost")) / (full + resuming))
                .with(SERVED, (storm.number("full_served") + storm.number("resuming_served")) / seconds)
                .with(COME, storm.number("begun") / seconds);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }
}
