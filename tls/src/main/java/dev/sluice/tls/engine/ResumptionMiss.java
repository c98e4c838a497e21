package dev.sluice.tls.engine;

import java.util.Locale;

/** The reasons for a server's full handshake. */
public enum ResumptionMiss {
    /** The client offered no ticket, although this server issues them. */
    NONE_OFFERED,
    /** Tickets are disabled here, whether the client offered one or not. */
    TICKETS_OFF,
    /** The ticket's key is unknown: it belongs to another fleet, or predates a restart without a store. */
    UNKNOWN_KEY,
    /** The ticket's key has expired, or its session has. */
    EXPIRED,
    /** The session belongs to another server name on another virtual host. */
    OTHER_HOST,
    /** The session belongs to the same name, but to another certificate, client authentication or virtual host. */
    OTHER_CONTEXT,
    /** The session has another TLS version. */
    OTHER_VERSION,
    /** The session's suite has another hash than this connection's (RFC 8446 section 4.6.1). */
    OTHER_SUITE,
    /** The ticket names a key of ours, but was not sealed with it, or was modified. */
    DAMAGED,
    /** None of these, as far as libssl reports. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the label in logs and metrics, such as {@code none_offered}. */
    public String label() {
        return label;
    }
}
