package dev.sluice.tls;

/**
 * A client's offer of early data that fits: the session can be resumed, the binder is verified, and server
 * name, protocol and cipher suite are those of the session. The ticket's age as the client tells it fits its age by our
 * clock, as far as {@link EarlyDataPolicy#FRESHNESS} says.
 *
 * <p>The binder stands for the ClientHello (RFC 8446 section 8.2): it covers all that comes before it, and nobody can make one
 * without the session's secret. A copy of the ClientHello has the same, and any other a different one.
 *
 * @param binderStart the first eight bytes of the binder
 * @param binderNext the eight that follow
 * @param ownTicket whether the ticket was made by a context with the same {@link EarlyDataPolicy}
 */
public record EarlyDataOffer(long binderStart, long binderNext, boolean ownTicket) {}
