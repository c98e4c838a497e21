package dev.sluice.bench.record;

import dev.sluice.bench.harness.Experiment;

/**
 * The effort of a run.
 *
 * @param roundMillis duration of each row in each round
 * @param warmupMillis warm-up of each row before the first round of a workload
 * @param plan the number of rounds
 * @param counted records for counting native allocations
 * @param idle connections for measuring the memory of one; 0 if it is not measured
 */
public record Effort(int roundMillis, int warmupMillis, Experiment.Plan plan, int counted, int idle) {
    /**
     * Returns the full effort: many short rounds instead of few long ones, since a median of ratios ignores a disturbed
     * round.
     */
    static Effort full() {
        return new Effort(50, 500, new Experiment.Plan(1, 21), 1_000, 1_000);
    }

    static Effort quick() {
        return new Effort(50, 200, new Experiment.Plan(1, 3), 100, 200);
    }

    /** Returns this effort with another number of counted rounds. */
    public Effort withRounds(int rounds) {
        return new Effort(roundMillis, warmupMillis, new Experiment.Plan(plan.warmups(), rounds), counted, idle);
    }
}
