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
 * closed connection left behind does not hide any.
 *
 * @param terminator what is measured
 */
record IdleTreatment(Terminator terminator, Fleet fleet, LoadProcess load) implements Treatment {
    static final String TITLE =
            "Idle connections: private user-space memory of the server per connection; 1,000 after 200";
    static final Metric PER_CONNECTION = Metric.cost("kib_per_connection", "KiB each");
    static final Metric RESIDENT = Metric.cost("resident_mib", "RSS MiB, all open");

    private static final int BEFORE = 200;
    private static final int COUNTED = 1_000;
    private static final double KIB = 1024;
    private static final double MIB = 1024 * KIB;

    @Override
    public Identity identity() {
        return terminator.identity();
    }

    @Override
    public Sample round() {
        try (Fleet.Member server = fleet.launch(terminator)) {
            load.prepare(new LoadRequest(Scenario.Kind.IDLE, server.port(), terminator.tls(), BEFORE, COUNTED));
            long before = Usage.anonymousBytes(server.process().tree());
            load.go();
            long after = Usage.anonymousBytes(server.process().tree());
            long resident = Usage.residentBytes(server.process().tree());
            load.finish();
            return Sample.of(PER_CONNECTION, (after - before) / KIB / COUNTED).with(RESIDENT, resident / MIB);
        }
    }
}
