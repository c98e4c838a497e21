package dev.sluice.net.peer;

/** The rejection of a write that would exceed what may be queued for a peer; nothing of it is queued. */
public final class WriteLimitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message value, cause and remedy
     */
    public WriteLimitException(String message) {
        super(message);
    }
}
