package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.process.Usage;
import java.util.List;

/**
 * A server under load. It runs on through all phases, as servers do.
 *
 * @param terminator what is measured
 * @param phase by what
 * @param effort how much of it
 */
record LoadTreatment(Terminator terminator, LoadPhase phase, Effort effort, Fleet fleet, LoadProcess load)
        implements Treatment {
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
        long units = phase.units(effort);
        load.prepare(new LoadRequest(phase.scenario(), server.port(), terminator.tls(), phase.connections(), units));
        List<Long> serverTree = server.process().tree();
        long serverBefore = Usage.cpuNanos(serverTree);
        long loadBefore = Usage.cpuNanos(List.of(load.pid()));
        double wall = load.go();
        double serverUsed = Usage.cpuNanos(serverTree) - serverBefore;
        double loadUsed = Usage.cpuNanos(List.of(load.pid())) - loadBefore;
        load.finish();
        return phase.sample((double) units, wall, serverUsed, loadUsed);
    }
}
