package dev.sluice.cost.figures;

/** Something that keeps costs from being measured or foreseen. The message names value, cause and remedy. */
public final class CostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With a message for people. */
    public CostException(String message) {
        super(message);
    }

    /** With a message for people, and what led to it. */
    public CostException(String message, Throwable cause) {
        super(message, cause);
    }
}
