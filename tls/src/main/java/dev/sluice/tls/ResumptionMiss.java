package dev.sluice.tls;

import java.util.Locale;

/** Why a server's handshake was a full one. */
public enum ResumptionMiss {
    /** The client has offered no ticket, although this server gives them out. */
    NONE_OFFERED,
    /** None are served here, whether the client has offered one or not: it cannot have got one here. */
    TICKETS_OFF,
    /** Nobody here knows the key that sealed the ticket: it is another fleet's, or from before a restart without a store. */
    UNKNOWN_KEY,
    /** The key that sealed the ticket has expired, or the session in it has. */
    EXPIRED,
    /** The session was made under another server name, which has another virtual host. */
    OTHER_HOST,
    /** The session was made under the same name, but with another certificate, client authentication or virtual host. */
    OTHER_CONTEXT,
    /** The session is one of another version of TLS than this connection's. */
    OTHER_VERSION,
    /** The session's suite has another hash than the suite that this connection has (RFC 8446 section 4.6.1). */
    OTHER_SUITE,
    /** The ticket names a key of ours, but was not sealed with it, or was changed. */
    DAMAGED,
    /** None of these, as far as libssl lets it be told. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** For logs and metrics, such as {@code none_offered}. */
    public String label() {
        return label;
    }
}
