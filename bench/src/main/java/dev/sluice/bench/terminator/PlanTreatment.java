package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.process.CpuTimes;
import dev.sluice.cost.plan.PlanModel;
import java.util.List;

/**
 * A load of the gateway, and its prediction at the rate that was reached.
 *
 * @param load the load
 * @param gateway the gateway
 * @param fleet the gateway's fleet
 * @param clients the load generator
 * @param model the model
 * @param divisor divisor of the units of a round
 */
record PlanTreatment(
        PlannedLoad load, Terminator gateway, Fleet fleet, LoadProcess clients, PlanModel model, int divisor)
        implements Treatment {
    static final Metric MEASURED = Metric.cost("measured_cores", "measured, cores");
    static final Metric ESTIMATED = Metric.cost("estimated_cores", "estimated, cores");
    static final Metric RATIO = Metric.cost("estimated_by_measured", "estimated / measured");
    static final Metric RATE = Metric.rate("units_per_second", "units/s");

    private static final double NANOS_PER_SECOND = 1e9;

    /** Returns the metrics, the primary one first. */
    static List<Metric> metrics() {
        return List.of(MEASURED, ESTIMATED, RATIO, RATE, LoadPhase.JIT_SHARE, LoadPhase.LOAD_BUSY);
    }

    @Override
    public Identity identity() {
        return Identity.of(load.text(), Role.SUBJECT);
    }

    @Override
    public void start() {
        fleet.running(gateway);
    }

    @Override
    public Sample round() {
        Fleet.Member server = fleet.running(gateway);
        long units = load.units() / divisor;
        clients.prepare(new LoadRequest(load.scenario(), server.port(), true, load.connections(), units));
        List<Long> tree = server.process().tree();
        CpuTimes before = CpuTimes.now(tree, clients.pid());
        double wall = clients.go();
        CpuTimes used = CpuTimes.now(tree, clients.pid()).since(before);
        clients.finish();
        double perSecond = units / wall * NANOS_PER_SECOND;
        double measured = used.server() / wall;
        double estimated = model.plan(load.at(perSecond)).totalCores();
        return Sample.of(MEASURED, measured)
                .with(ESTIMATED, estimated)
                .with(RATIO, estimated / measured)
                .with(RATE, perSecond)
                .with(LoadPhase.JIT_SHARE, used.compiler() / used.server())
                .with(LoadPhase.LOAD_BUSY, used.load() / wall);
    }
}
