package dev.sluice.tls.ticket;

import org.jspecify.annotations.Nullable;

/**
 * The tickets that a server sends.
 *
 * @param stateless true if tickets carry the session; otherwise they name a cached one (SSL_OP_NO_TICKET)
 * @param count number for a TLS 1.3 client
 * @param keys the sealing keys; null for the context's own key
 */
public record TicketPolicy(
        boolean stateless, int count, @Nullable TicketKeyRing keys) {
    /** No tickets, as for a client. */
    public static final TicketPolicy NONE = new TicketPolicy(false, 0, null);
}
