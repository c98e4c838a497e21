package dev.sluice.cli.command;

/** What was asked for cannot be done. The message names value, cause and remedy. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
