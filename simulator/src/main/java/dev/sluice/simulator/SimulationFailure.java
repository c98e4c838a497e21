package dev.sluice.simulator;

/** A violation that no kernel behaviour excuses. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the violation with its figures
     */
    public SimulationFailure(String message) {
        super(message);
    }
}
