package dev.sluice.bench.record;

import dev.sluice.bench.harness.Experiment;

/**
 * How long things take.
 *
 * @param roundMillis of each row in each round
 * @param warmupMillis of each row before the first round of a workload
 * @param plan how many rounds
 * @param counted records over which native allocations are counted
 * @param idle connections that are opened to weigh one of them
 */
record Effort(int roundMillis, int warmupMillis, Experiment.Plan plan, int counted, int idle) {
    /** Many short rounds rather than few long ones: a median of ratios forgets a round that somebody disturbed. */
    static Effort full() {
        return new Effort(50, 500, new Experiment.Plan(1, 21), 1_000, 1_000);
    }

    static Effort quick() {
        return new Effort(50, 200, new Experiment.Plan(1, 3), 100, 200);
    }

    Effort withRounds(int rounds) {
        return new Effort(roundMillis, warmupMillis, new Experiment.Plan(plan.warmups(), rounds), counted, idle);
    }
}
