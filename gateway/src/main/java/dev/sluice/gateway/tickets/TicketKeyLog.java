package dev.sluice.gateway.tickets;

/** A receiver of messages about ticket keys. Called from any thread. */
public interface TicketKeyLog {
    /** The ordinary course of things. */
    void info(String line);

    /** Something that an operator should see to. */
    void warn(String line);
}
