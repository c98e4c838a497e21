package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.CpuTimes;
import java.util.List;

/**
 * The cost of the first full handshakes after a start, thousand by thousand, beside that of later ones. A server of its
 * own in each round: nothing has warmed it up but its first connection.
 *
 * @param terminator the measured server
 * @param effort decides how many handshakes come before the later ones
 */
record ColdStartTreatment(Terminator terminator, Effort effort, Fleet fleet, LoadProcess load) implements Treatment {
    static final String TITLE = "Cold start: CPU time of the first full handshakes, of later ones, and their ratio";
    static final Metric FIRST = Metric.cost("first_cpu_micros", "CPU µs, 1st thousand");
    static final Metric SECOND = Metric.cost("second_cpu_micros", "2nd thousand");
    static final Metric THIRD = Metric.cost("third_cpu_micros", "3rd thousand");
    static final Metric LATER = Metric.cost("later_cpu_micros", "later");
    static final Metric TIMES = Metric.cost("first_times", "1st by later");

    private static final int AT_ONCE = 16;
    private static final int THOUSAND = 1_000;

    /** Handshakes between the first three thousand and the later ones, and those. */
    private static final int BETWEEN = 24_000;

    private static final int LAST = 4_000;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(FIRST, SECOND, THIRD, LATER, TIMES);
    }

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public Sample round() {
        try (Fleet.Member server = fleet.launch(terminator)) {
            fleet.awaitReady(terminator, server);
            double first = micros(server, THOUSAND);
            double second = micros(server, THOUSAND);
            double third = micros(server, THOUSAND);
            micros(server, BETWEEN / effort.workDivisor());
            double later = micros(server, LAST / effort.workDivisor());
            return Sample.of(FIRST, first)
                    .with(SECOND, second)
                    .with(THIRD, third)
                    .with(LATER, later)
                    .with(TIMES, first / later);
        }
    }

    private double micros(Fleet.Member server, int handshakes) {
        load.prepare(new LoadRequest(Scenario.Kind.HANDSHAKE, server.port(), terminator.tls(), AT_ONCE, handshakes));
        List<Long> tree = server.process().tree();
        CpuTimes before = CpuTimes.now(tree, load.pid());
        load.go();
        CpuTimes used = CpuTimes.now(tree, load.pid()).since(before);
        load.finish();
        return used.server() / handshakes / NANOS_PER_MICRO;
    }
}
