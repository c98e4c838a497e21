package dev.sluice.bench.echo;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.Usage;
import java.util.List;

/**
 * A server at one point. A round has a fixed duration, in which a faster server echoes more: figures are per message.
 *
 * @param server the measured server
 * @param point the point of comparison
 * @param roundMillis duration of a round
 */
record EchoTreatment(EchoServer server, EchoPoint point, int roundMillis, EchoFleet fleet) implements Treatment {
    /** CPU time of the server's whole process, including kernel and JIT compiler, per round trip. */
    static final Metric COST = Metric.cost("server_cpu_micros", "CPU µs");
    /** Messages per second. */
    static final Metric RATE = Metric.rate("messages_per_second", "msg/s");
    /** The used share of the server's core. */
    static final Metric SERVER_BUSY = Metric.rate("server_busy_cores", "server busy");
    /** The used share of the load's core; near 1 with the server's below, the load was the limit. */
    static final Metric LOAD_BUSY = Metric.cost("load_busy_cores", "load busy");

    /** The JIT compiler's share of the server's CPU time; near 0 for a warm server. */
    static final Metric JIT_SHARE = Metric.cost("jit_share", "JIT share");

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Identity identity() {
        return server.identity();
    }

    @Override
    public void start() {
        fleet.running(server);
    }

    @Override
    public Sample round() {
        EchoFleet.Member running = fleet.running(server);
        fleet.load().ask("prepare", running.port(), point.connections(), point.bytes());
        double serverBefore = cpuNanos(running.process().pid());
        double compilerBefore = compilerNanos(running.process().pid());
        double loadBefore = cpuNanos(fleet.load().pid());
        Answer done = fleet.load().ask("go", roundMillis);
        double serverUsed = cpuNanos(running.process().pid()) - serverBefore;
        double compilerUsed = compilerNanos(running.process().pid()) - compilerBefore;
        double loadUsed = cpuNanos(fleet.load().pid()) - loadBefore;
        fleet.load().ask("finish");
        return sample(done.number("messages"), done.number("nanos"), serverUsed, loadUsed)
                .with(JIT_SHARE, compilerUsed / serverUsed);
    }

    private static double compilerNanos(long pid) {
        return Usage.compilerNanos(List.of(pid));
    }

    private static double cpuNanos(long pid) {
        return Usage.cpuNanos(List.of(pid));
    }

    static Sample sample(double messages, double nanos, double serverNanos, double loadNanos) {
        return Sample.of(COST, serverNanos / messages / NANOS_PER_MICRO)
                .with(RATE, messages / nanos * NANOS_PER_SECOND)
                .with(SERVER_BUSY, serverNanos / nanos)
                .with(LOAD_BUSY, loadNanos / nanos);
    }
}
