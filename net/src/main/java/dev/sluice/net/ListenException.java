package dev.sluice.net;

/** An address could not be listened on. The message names the address, the cause and the remedy. */
public final class ListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message address, cause and remedy */
    public ListenException(String message) {
        super(message);
    }
}
