package dev.sluice.gateway.tickets;

/** Where it is told what becomes of ticket keys. Called from any thread. */
public interface TicketKeyLog {
    /** The ordinary course of things. */
    void info(String line);

    /** Something that an operator should see to. */
    void warn(String line);
}
