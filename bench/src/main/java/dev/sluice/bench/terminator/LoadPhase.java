package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.CpuTimes;
import java.util.List;

/**
 * A phase that measures the server's CPU time for a fixed amount of work.
 *
 * @param title title for display
 * @param scenario scenario of the load generator
 * @param connections concurrent connections
 * @param units work per round at full effort
 * @param warmups discarded rounds, the same for all servers, sufficient for the JVM's compiler
 * @param per the unit of the figures
 */
record LoadPhase(String title, Scenario.Kind scenario, int connections, long units, int warmups, Per per) {
    /** The used share of the server's core under load. */
    static final Metric SERVER_BUSY = Metric.rate("server_busy_cores", "server busy");
    /** The JIT compiler's share of the server's CPU time; near 0 for a warm server. */
    static final Metric JIT_SHARE = Metric.cost("jit_share", "JIT share");
    /** The used share of the load's core; near 1, the load was the limit and the rate says little about the server. */
    static final Metric LOAD_BUSY = Metric.cost("load_busy_cores", "load busy");

    /**
     * The unit of figures.
     *
     * @param cost metric of the server's CPU time
     * @param costScale from nanoseconds per unit of work to the cost's unit
     * @param rate metric of the speed
     * @param rateScale from units of work per nanosecond to the rate's unit
     */
    record Per(Metric cost, double costScale, Metric rate, double rateScale) {
        /** Units are bytes, figures are per 10^9 of them. */
        static final Per GIGABYTE = new Per(
                Metric.cost("server_cpu_seconds_per_gb", "CPU s/GB"), 1.0, Metric.rate("gb_per_second", "GB/s"), 1.0);
        /** Units are handshakes or round trips. */
        static final Per PIECE =
                new Per(Metric.cost("server_cpu_micros", "CPU µs"), 1e-3, Metric.rate("per_second", "per s"), 1e9);
    }

    /**
     * Returns the load phase for a phase.
     *
     * @throws IllegalArgumentException when the phase is not one under load
     */
    static LoadPhase of(Phase phase) {
        return switch (phase) {
            case DOWNLOAD ->
                new LoadPhase(
                        "Bulk download: CPU seconds of the server per GB (10^9 bytes), backend to client, 8 "
                                + "connections",
                        Scenario.Kind.DOWNLOAD,
                        8,
                        1_000_000_000L,
                        6,
                        Per.GIGABYTE);
            case UPLOAD ->
                new LoadPhase(
                        "Bulk upload: CPU seconds of the server per GB (10^9 bytes), client to backend, 8 connections",
                        Scenario.Kind.UPLOAD,
                        8,
                        1_000_000_000L,
                        4,
                        Per.GIGABYTE);
            case HANDSHAKE ->
                new LoadPhase(
                        "Full handshake: CPU time of the server per connection: handshake, one byte to the backend and"
                                + " back, close; 16 at once",
                        Scenario.Kind.HANDSHAKE,
                        16,
                        2_000,
                        10,
                        Per.PIECE);
            case RESUMED ->
                new LoadPhase(
                        "Resumed handshake: the same with a session ticket (psk_dhe_ke)",
                        Scenario.Kind.RESUMED,
                        16,
                        2_000,
                        3,
                        Per.PIECE);
            case ECHO ->
                new LoadPhase(
                        "Echo: CPU time of the server per round trip of 128 bytes, 64 connections, one under way on "
                                + "each",
                        Scenario.Kind.ECHO,
                        64,
                        64_000,
                        3,
                        Per.PIECE);
            case ECHO_4K ->
                new LoadPhase(
                        "Echo of 4 KiB: CPU time of the server per round trip of 4,096 bytes, 64 connections, one "
                                + "under way on each",
                        Scenario.Kind.ECHO_4K,
                        64,
                        64_000,
                        3,
                        Per.PIECE);
            case IDLE, LATENCY, STARTUP, COLDSTART ->
                throw new IllegalArgumentException("not under load, phase=" + phase);
        };
    }

    /** Returns the work of one round. */
    long units(Effort effort) {
        return units / effort.workDivisor();
    }

    /** Returns the primary metric. */
    Metric cost() {
        return per.cost;
    }

    /** Returns the metric of the speed. */
    Metric rate() {
        return per.rate;
    }

    /** Returns the metrics, the primary one first. */
    List<Metric> metrics() {
        return List.of(per.cost, per.rate, SERVER_BUSY, JIT_SHARE, LOAD_BUSY);
    }

    /**
     * Returns the sample of a round.
     *
     * @param done units of work
     * @param wallNanos duration
     * @param used CPU time used
     */
    Sample sample(double done, double wallNanos, CpuTimes used) {
        return Sample.of(per.cost, used.server() / done * per.costScale)
                .with(per.rate, done / wallNanos * per.rateScale)
                .with(SERVER_BUSY, used.server() / wallNanos)
                .with(JIT_SHARE, used.compiler() / used.server())
                .with(LOAD_BUSY, used.load() / wallNanos);
    }
}
