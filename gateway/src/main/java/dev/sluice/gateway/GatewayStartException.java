package dev.sluice.gateway;

import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.net.ListenException;

/** A gateway could not start, or not take up another configuration. The message names place, value, cause and remedy. */
public final class GatewayStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message place, value, cause and remedy */
    public GatewayStartException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The address of a listener is refused. */
    static GatewayStartException at(ListenerConfig listener, ListenException refused) {
        String place = listener.origin().isEmpty() ? "" : listener.origin() + ": ";
        return new GatewayStartException(place + refused.getMessage(), refused);
    }
}
