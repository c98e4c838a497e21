package dev.sluice.ffi.uring;

/** The absence of a usable io_uring. The message names the cause and the remedy. */
public final class UringUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message cause and remedy
     */
    public UringUnavailableException(String message) {
        super(message);
    }
}
