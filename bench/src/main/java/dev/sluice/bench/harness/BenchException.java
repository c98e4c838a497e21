package dev.sluice.bench.harness;

/** A benchmark could not be done as asked. The message names the value, the cause and the remedy. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message value, cause and remedy */
    public BenchException(String message) {
        super(message);
    }

    /** @param message value, cause and remedy */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
