package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Experiment.Plan;

/**
 * The effort of a run.
 *
 * @param warmupsMax maximum warm-up rounds of a phase under load
 * @param rounds counted rounds of the phases under load
 * @param idle rounds of the idle phase
 * @param startup rounds of the start-up phase
 * @param coldStart rounds of the phase of the first handshakes
 * @param workDivisor divisor of a round's work
 */
record Effort(int warmupsMax, int rounds, Plan idle, Plan startup, Plan coldStart, int workDivisor) {
    /** Returns the effort for reliable figures; about fifteen minutes. */
    static Effort full() {
        return new Effort(Integer.MAX_VALUE, 5, new Plan(0, 2), new Plan(1, 5), new Plan(0, 3), 1);
    }

    /** Returns the effort for a first estimate; about four minutes. */
    static Effort quick() {
        return new Effort(3, 3, new Plan(0, 1), new Plan(0, 2), new Plan(0, 1), 4);
    }

    /** Returns the rounds of a phase under load with a number of warm-ups. */
    Plan load(int warmups) {
        return new Plan(Math.min(warmups, warmupsMax), rounds);
    }

    /** Returns the same effort with another number of counted rounds in every phase. */
    Effort withRounds(int other) {
        return new Effort(
                warmupsMax,
                other,
                new Plan(idle.warmups(), other),
                new Plan(startup.warmups(), other),
                new Plan(coldStart.warmups(), other),
                workDivisor);
    }
}
