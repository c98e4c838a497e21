package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Certificate;
import dev.sluice.bench.process.CpuTimes;
import java.util.List;

/**
 * One kind of handshake: at the gateway, including the rest of a connection, and in libssl alone.
 *
 * @param kind the kind
 * @param gateway the server
 * @param load the load generator
 * @param certificate the gateway's certificate
 * @param library the process for handshakes without sockets
 */
record HandshakeTreatment(
        HandshakeKind kind,
        Terminator gateway,
        Fleet fleet,
        LoadProcess load,
        Certificate certificate,
        AskedProcess library,
        int units)
        implements Treatment {
    static final Metric GATEWAY = Metric.cost("gateway_cpu_micros", "gateway CPU µs");
    static final Metric LIBRARY = Metric.cost("libssl_micros", "libssl alone µs");
    static final Metric RATE = Metric.rate("handshakes_per_second", "per second");

    private static final int AT_ONCE = 16;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(GATEWAY, LIBRARY, RATE, LoadPhase.SERVER_BUSY, LoadPhase.JIT_SHARE, LoadPhase.LOAD_BUSY);
    }

    @Override
    public Identity identity() {
        return Identity.of(kind.toString(), Role.SUBJECT);
    }

    @Override
    public void start() {
        fleet.running(gateway);
    }

    @Override
    public Sample round() {
        Fleet.Member server = fleet.running(gateway);
        Scenario.Kind scenario = kind.resumed() ? Scenario.Kind.RESUMED : Scenario.Kind.HANDSHAKE;
        load.prepare(new LoadRequest(scenario, server.port(), true, AT_ONCE, units));
        List<Long> tree = server.process().tree();
        CpuTimes before = CpuTimes.now(tree, load.pid());
        double wall = load.go();
        CpuTimes used = CpuTimes.now(tree, load.pid()).since(before);
        load.finish();
        return Sample.of(GATEWAY, used.server() / units / NANOS_PER_MICRO)
                .with(LIBRARY, libraryNanos() / NANOS_PER_MICRO)
                .with(RATE, units / wall * NANOS_PER_SECOND)
                .with(LoadPhase.SERVER_BUSY, used.server() / wall)
                .with(LoadPhase.JIT_SHARE, used.compiler() / used.server())
                .with(LoadPhase.LOAD_BUSY, used.load() / wall);
    }

    private double libraryNanos() {
        return library.ask(
                        "handshakes",
                        kind.version().name(),
                        certificate.chain(),
                        certificate.key(),
                        kind.resumed(),
                        units / 2)
                .number("server_nanos");
    }
}
