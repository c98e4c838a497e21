package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Experiment;

/**
 * The effort of a run.
 *
 * @param warmupMillis warm-up of each treatment before the first round
 * @param roundMillis duration of a round of short operations
 * @param plan rounds of short operations
 * @param appMillis duration of a round of an application
 * @param appPlan rounds of applications, and of operations of half a second
 * @param sizes the sizes of buffers
 */
record BufferEffort(
        int warmupMillis, int roundMillis, Experiment.Plan plan, int appMillis, Experiment.Plan appPlan, Sizes sizes) {
    /** The sizes of buffers. */
    enum Sizes {
        /** All for each use of a buffer. */
        ALL,
        /** All for one use, some for the others. */
        SOME
    }

    static BufferEffort full() {
        return new BufferEffort(400, 100, new Experiment.Plan(1, 11), 10_000, new Experiment.Plan(1, 5), Sizes.ALL);
    }

    static BufferEffort quick() {
        return new BufferEffort(60, 40, new Experiment.Plan(1, 5), 1_000, new Experiment.Plan(1, 3), Sizes.SOME);
    }

    BufferEffort withRounds(int rounds) {
        return new BufferEffort(
                warmupMillis,
                roundMillis,
                new Experiment.Plan(plan.warmups(), rounds),
                appMillis,
                new Experiment.Plan(appPlan.warmups(), rounds),
                sizes);
    }
}
