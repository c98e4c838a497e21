package dev.sluice.gateway.tickets;

/** Ticket keys cannot be had, kept or changed; those that there are stay. The message names value, cause and remedy. */
public final class TicketKeyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String message;

    TicketKeyException(String message) {
        super(message);
        this.message = message;
    }

    TicketKeyException(String message, Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
