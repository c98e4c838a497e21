package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import java.util.Comparator;

/**
 * The rate at which latencies are compared: half of what the fastest peer can do, the same for all. At a rate of its own
 * a slow server would look as good as a fast one.
 *
 * @param of who is the fastest
 * @param perSecond half of its median rate
 */
record HalfLoad(Identity of, double perSecond) {
    private static final int SHARE = 2;

    /**
     * Half of the best rate of an experiment. Without peers, of the slowest of all that took part, so that everybody can
     * keep up.
     *
     * @param rate a metric of that experiment, in units per second
     */
    static HalfLoad of(ExperimentResult result, Metric rate) {
        Identity best = result.bestPeer(rate)
                .or(() -> result.samples().keySet().stream()
                        .filter(who -> who.role() == Role.SUBJECT)
                        .min(Comparator.comparingDouble(
                                who -> result.summary(who, rate).median())))
                .orElseThrow(() -> new BenchException("no server lasted through "
                        + result.experiment().name() + ", so there is no rate to compare latencies at"));
        return new HalfLoad(best, result.summary(best, rate).median() / SHARE);
    }
}
