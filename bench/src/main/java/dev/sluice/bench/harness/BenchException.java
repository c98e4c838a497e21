package dev.sluice.bench.harness;

/** A benchmark that could not run. The message names the value, the cause and the remedy. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message value, cause and remedy
     */
    public BenchException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message value, cause and remedy
     */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
