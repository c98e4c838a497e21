package dev.sluice.simulator;

/**
 * Runs a simulation with many seeds. One that fails is named, and {@code -Dsluice.simulation.seed=N} runs it alone, exactly
 * as before; {@code -Dsluice.simulation.seeds=N} runs as many.
 */
public final class Seeds {
    private static final String ONE = "sluice.simulation.seed";
    private static final String COUNT = "sluice.simulation.seeds";

    private Seeds() {}

    /** One run. */
    @FunctionalInterface
    public interface Simulation {
        /** Runs it; throws when something is not as it must be. */
        void run(long seed);
    }

    /** Runs the seeds from 0 on. */
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
                    "seed " + seed + " failed: " + t.getMessage() + "; to run it alone: -D" + ONE + "=" + seed, t);
        }
    }
}
