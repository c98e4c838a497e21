package dev.sluice.gateway;

/** A gateway could not start. The message names place, value, cause and remedy. */
public final class GatewayStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GatewayStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
