package dev.sluice.simulator;

/**
 * A runner of simulations over many seeds. A failing seed is named; {@code -Dsluice.simulation.seed=N} replays it
 * alone, and {@code -Dsluice.simulation.seeds=N} sets the number of seeds.
 */
public final class Seeds {
    private static final String ONE = "sluice.simulation.seed";
    private static final String COUNT = "sluice.simulation.seeds";

    private Seeds() {}

    /** One run of a simulation. */
    @FunctionalInterface
    public interface Simulation {
        /** Runs one seed; throws for a violated expectation. */
        void run(long seed);
    }

    /** Runs the seeds from 0. */
    public static void run(int count, Simulation simulation) {
        Long one = Long.getLong(ONE);
        if (one != null) {
            run(one.longValue(), simulation);
            return;
        }
        int all = Integer.getInteger(COUNT, count);
        for (long seed = 0; seed < all; seed++) {
            run(seed, simulation);
        }
    }

    private static void run(long seed, Simulation simulation) {
        try {
            simulation.run(seed);
        } catch (Throwable t) {
            throw new AssertionError(
                    "seed " + seed + " failed: " + t.getMessage() + "; to replay it: -D" + ONE + "=" + seed, t);
        }
    }
}
