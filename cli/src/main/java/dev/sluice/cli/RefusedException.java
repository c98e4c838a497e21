package dev.sluice.cli;

/** What was asked for cannot be done. The message names value, cause and remedy. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
