package dev.sluice.gateway.backend;

/** A backend or a server does not exist; the message lists those that do. */
public final class UnknownServerException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownServerException(String message) {
        super(message);
    }
}
