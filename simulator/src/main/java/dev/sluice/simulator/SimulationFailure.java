package dev.sluice.simulator;

/** Something happened that must not, whatever the kernel does. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** @param message what, with the figures */
    public SimulationFailure(String message) {
        super(message);
    }
}
