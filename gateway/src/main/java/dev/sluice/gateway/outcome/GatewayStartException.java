package dev.sluice.gateway.outcome;

import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.gateway.tickets.TicketKeyException;
import dev.sluice.net.ListenException;
import java.io.IOException;

/**
 * A gateway could not start, or not take up another configuration. The message names place, value, cause and remedy.
 */
public final class GatewayStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with its message.
     *
     * @param message place, value, cause and remedy
     */
    public GatewayStartException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns whether the same attempt may succeed later: it may where an address or a file was not there, or a limit
     * was reached.
     */
    public ProblemKind kind() {
        Throwable cause = getCause() instanceof TicketKeyException ticketKeys ? ticketKeys.getCause() : getCause();
        return switch (cause) {
            case ListenException refused when refused.isTransient() -> ProblemKind.TRANSIENT;
            case IOException failure -> ProblemKind.of(failure);
            case null, default -> ProblemKind.PERMANENT;
        };
    }

    /** The address of a listener is refused. */
    public static GatewayStartException at(ListenerConfig listener, ListenException refused) {
        String place = listener.origin().isEmpty() ? "" : listener.origin() + ": ";
        return new GatewayStartException(place + refused.getMessage(), refused);
    }
}
