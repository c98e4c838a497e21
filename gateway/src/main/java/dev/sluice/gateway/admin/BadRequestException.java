package dev.sluice.gateway.admin;

/** What a client sent is no request that is answered; the message says why. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param status of the answer */
    BadRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
