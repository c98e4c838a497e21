package dev.sluice.net;

/** The failure of a backend that cannot run here. The message names the cause and the remedy. */
public final class BackendUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with its message.
     *
     * @param message backend, cause and remedy
     */
    public BackendUnavailableException(String message) {
        super(message);
    }
}
