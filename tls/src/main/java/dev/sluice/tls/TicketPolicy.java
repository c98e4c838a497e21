package dev.sluice.tls;

/**
 * Which tickets a server sends.
 *
 * @param stateless whether tickets carry the session; else they name one in the cache (SSL_OP_NO_TICKET)
 * @param count how many a TLS 1.3 client gets
 */
record TicketPolicy(boolean stateless, int count) {
    /** None, as of a client. */
    static final TicketPolicy NONE = new TicketPolicy(false, 0);
}
