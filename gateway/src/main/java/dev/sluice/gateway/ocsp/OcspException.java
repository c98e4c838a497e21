package dev.sluice.gateway.ocsp;

/** There is no response that could be stapled; the message says why. */
final class OcspException extends Exception {
    private static final long serialVersionUID = 1L;

    private final OcspFailure failure;

    OcspException(OcspFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    OcspException(OcspFailure failure, String message, Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    /** Returns the kind of failure. */
    OcspFailure failure() {
        return failure;
    }
}
