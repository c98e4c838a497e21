package dev.sluice.gateway.ocsp;

/** There is no response that could be stapled; the message says why. */
final class OcspException extends Exception {
    private static final long serialVersionUID = 1L;

    OcspException(String message) {
        super(message);
    }

    OcspException(String message, Throwable cause) {
        super(message, cause);
    }
}
