package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.LoadRequest;
import dev.sluice.bench.process.CpuTimes;
import java.util.List;

/**
 * A server under load. It keeps running through all phases, as in production.
 *
 * @param terminator the measured server
 * @param phase the phase
 * @param effort the effort
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
        CpuTimes before = CpuTimes.now(serverTree, load.pid());
        double wall = load.go();
        CpuTimes used = CpuTimes.now(serverTree, load.pid()).since(before);
        load.finish();
        return phase.sample((double) units, wall, used);
    }
}
