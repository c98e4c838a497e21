package dev.sluice.tls.context;

/**
 * A client's offer of acceptable early data: the session can be resumed, the binder is verified, and server name,
 * protocol and cipher suite match the session. The ticket age reported by the client matches our clock within {@link
 * EarlyDataPolicy#FRESHNESS}.
 *
 * <p>The binder identifies the ClientHello (RFC 8446 section 8.2): it covers everything before it and requires the
 * session's secret. A copy of the ClientHello has the same binder, any other a different one.
 *
 * @param binderStart the first eight bytes of the binder
 * @param binderNext the next eight bytes
 * @param ownTicket true if the ticket is from a context with the same {@link EarlyDataPolicy}
 */
public record EarlyDataOffer(long binderStart, long binderNext, boolean ownTicket) {}
