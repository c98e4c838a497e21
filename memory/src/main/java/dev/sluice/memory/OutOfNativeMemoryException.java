package dev.sluice.memory;

/** A refusal of native memory by the operating system. The message names the size, the cause and the remedy. */
public final class OutOfNativeMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message size, cause and remedy
     */
    public OutOfNativeMemoryException(String message) {
        super(message);
    }
}
