package dev.sluice.cost.figures;

/** A failure to measure or predict costs. The message names value, cause and remedy. */
public final class CostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates the exception. */
    public CostException(String message) {
        super(message);
    }

    /** Creates the exception with its cause. */
    public CostException(String message, Throwable cause) {
        super(message, cause);
    }
}
