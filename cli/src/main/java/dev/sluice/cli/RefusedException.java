package dev.sluice.cli;

/** A request that cannot be satisfied. The message names value, cause and remedy. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
