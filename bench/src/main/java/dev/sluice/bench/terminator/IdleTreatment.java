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
 * The memory cost of an idle connection: a fresh server serves some connections, which covers its one-time set-up, and
 * then more; the growth by those is divided by their number. Connections stay open in between, so that memory of closed
 * ones does not hide any. A server that releases memory periodically gets time for that before each sample, or the
 * memory of its first handshakes would distort the result.
 *
 * @param terminator the measured server
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

    /** Returns the number of connections that the server's descriptors allow: two descriptors each. */
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
            // Twice: the JIT compiler's memory after the first connections must be free before it can be returned.
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
