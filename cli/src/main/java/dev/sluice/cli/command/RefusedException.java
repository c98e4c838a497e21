package dev.sluice.cli.command;

/** A request that cannot be satisfied. The message names value, cause and remedy. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
