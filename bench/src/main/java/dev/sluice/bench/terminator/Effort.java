package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Experiment.Plan;

/**
 * How much trouble to take.
 *
 * @param warmupsMax most warm-up rounds of a phase under load, however many it asks for
 * @param rounds counted rounds of the phases under load
 * @param idle rounds of the idle phase
 * @param startup rounds of the start-up phase
 * @param workDivisor by what a round's work is divided
 */
record Effort(int warmupsMax, int rounds, Plan idle, Plan startup, int workDivisor) {
    /** A figure to rely on; about eight minutes. */
    static Effort full() {
        return new Effort(Integer.MAX_VALUE, 5, new Plan(0, 2), new Plan(1, 5), 1);
    }

    /** A first impression; about a minute and a half. */
    static Effort quick() {
        return new Effort(3, 3, new Plan(0, 1), new Plan(0, 2), 4);
    }

    /** Rounds of a phase under load that asks for so many to warm up. */
    Plan load(int warmups) {
        return new Plan(Math.min(warmups, warmupsMax), rounds);
    }

    /** The same with another number of counted rounds in every phase. */
    Effort withRounds(int other) {
        return new Effort(
                warmupsMax, other, new Plan(idle.warmups(), other), new Plan(startup.warmups(), other), workDivisor);
    }
}
