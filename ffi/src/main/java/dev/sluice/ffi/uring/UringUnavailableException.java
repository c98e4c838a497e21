package dev.sluice.ffi.uring;

/** io_uring cannot be used here. The message names the cause and the remedy. */
public final class UringUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message cause and remedy */
    public UringUnavailableException(String message) {
        super(message);
    }
}
