package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import java.util.Comparator;

/**
 * The rate of the latency comparison: half of the fastest peer's rate, the same for all. At its own rate a slow server
 * would look as good as a fast one.
 *
 * @param of the fastest peer
 * @param perSecond half of its median rate
 */
record HalfLoad(Identity of, double perSecond) {
    private static final int SHARE = 2;

    /**
     * Returns half of the best rate of an experiment. Without peers, half of the slowest participant's, so that all can
     * keep up.
     *
     * @param rate a metric of the experiment, in units per second
     */
    static HalfLoad of(ExperimentResult result, Metric rate) {
        Identity best = result.bestPeer(rate)
                .or(() -> result.samples().keySet().stream()
                        .filter(who -> who.role() == Role.SUBJECT)
                        .min(Comparator.comparingDouble(
                                who -> result.summary(who, rate).median())))
                .orElseThrow(() -> new BenchException("no server survived "
                        + result.experiment().name() + ", so there is no rate to compare latencies at"));
        return new HalfLoad(best, result.summary(best, rate).median() / SHARE);
    }
}
