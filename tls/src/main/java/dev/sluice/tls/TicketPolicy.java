package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * Which tickets a server sends.
 *
 * @param stateless whether tickets carry the session; else they name one in the cache (SSL_OP_NO_TICKET)
 * @param count how many a TLS 1.3 client gets
 * @param keys what they are sealed with; null: a key of the context's own
 */
record TicketPolicy(boolean stateless, int count, @Nullable TicketKeyRing keys) {
    /** None, as of a client. */
    static final TicketPolicy NONE = new TicketPolicy(false, 0, null);
}
