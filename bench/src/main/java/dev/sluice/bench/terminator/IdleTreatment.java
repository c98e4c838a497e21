package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.Usage;

/**
 * What an idle connection costs in memory: a fresh server takes some connections, so that it has set up what it sets up
 * once, and then more; what those added is divided by their number. Nothing is closed between, so that memory which a
 * closed connection left behind does not hide any. A server that gives memory back at intervals has that time before each
 * look, or what its first handshakes left behind would be taken for memory that connections need, or bring along.
 *
 * @param terminator what is measured
 */
record IdleTreatment(Terminator terminator, Fleet fleet, LoadProcess load) implements Treatment {
    private static final int BEFORE = 2_000;
    private static final int COUNTED = counted(Usage.descriptorLimit());
    static final String TITLE =
            "Idle connections: private user-space memory of the server per connection; %,d after %,d"
                    .formatted(COUNTED, BEFORE);
    static final Metric PER_CONNECTION = Metric.cost("kib_per_connection", "KiB each");
    static final Metric RESIDENT = Metric.cost("resident_mib", "RSS MiB, all open");

    private static final int MOST_COUNTED = 8_000;
    private static final int LEAST_COUNTED = 200;
    private static final int OTHER_DESCRIPTORS = 500;
    private static final double KIB = 1024;
    private static final double MIB = 1024 * KIB;

    /** As many as the server's descriptors allow: two for each. */
    static int counted(long descriptorLimit) {
        long possible = (descriptorLimit - OTHER_DESCRIPTORS) / 2 - BEFORE;
        return Math.clamp(possible, LEAST_COUNTED, MOST_COUNTED);
    }

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public Sample round() throws InterruptedException {
        try (Fleet.Member server = fleet.launch(terminator)) {
            load.prepare(new LoadRequest(Scenario.Kind.IDLE, server.port(), terminator.tls(), BEFORE, COUNTED));
            // Twice: what a JIT compiler works with after the first connections has to be free before it can go back.
            Thread.sleep(2 * terminator.settleMillis());
            long before = Usage.anonymousBytes(server.process().tree());
            load.go();
            Thread.sleep(terminator.settleMillis());
            long after = Usage.anonymousBytes(server.process().tree());
            long resident = Usage.residentBytes(server.process().tree());
            load.finish();
            return Sample.of(PER_CONNECTION, (after - before) / KIB / COUNTED).with(RESIDENT, resident / MIB);
        }
    }
}
