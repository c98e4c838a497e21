package dev.sluice.memory;

/** The operating system refused native memory. The message names the size, the cause and the remedy. */
public final class OutOfNativeMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was asked for, why it was refused, what to do */
    public OutOfNativeMemoryException(String message) {
        super(message);
    }
}
