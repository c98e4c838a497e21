package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Experiment.Plan;

/**
 * How much trouble to take.
 *
 * @param load rounds of the phases under load
 * @param idle rounds of the idle phase
 * @param startup rounds of the start-up phase
 * @param workDivisor by what a round's work is divided
 */
record Effort(Plan load, Plan idle, Plan startup, int workDivisor) {
    /** A figure to rely on; about six minutes. */
    static Effort full() {
        return new Effort(new Plan(3, 5), new Plan(0, 3), new Plan(1, 5), 1);
    }

    /** A first impression; about one minute. */
    static Effort quick() {
        return new Effort(new Plan(1, 3), new Plan(0, 1), new Plan(0, 2), 4);
    }

    /** The same with another number of counted rounds in every phase. */
    Effort withRounds(int rounds) {
        return new Effort(
                new Plan(load.warmups(), rounds),
                new Plan(idle.warmups(), rounds),
                new Plan(startup.warmups(), rounds),
                workDivisor);
    }
}
