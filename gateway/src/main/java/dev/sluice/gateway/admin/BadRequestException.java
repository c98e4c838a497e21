package dev.sluice.gateway.admin;

/** A failure that marks a client's input as no valid request; the message says why. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Creates an exception with its message.
     *
     * @param status of the answer
     */
    BadRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
