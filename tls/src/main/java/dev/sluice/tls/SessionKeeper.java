package dev.sluice.tls;

/** Takes the sessions that a client's connections make, to resume them later. Called on the connection's thread. */
@FunctionalInterface
public interface SessionKeeper {
    /**
     * A connection has made a session; told at most once for each.
     *
     * @param session the keeper's, who closes it
     */
    void keep(TlsSession session);
}
