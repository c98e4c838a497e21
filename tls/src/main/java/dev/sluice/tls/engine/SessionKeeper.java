package dev.sluice.tls.engine;

/** A consumer of the sessions of a client's connections, for later resumption. Called on the connection's thread. */
@FunctionalInterface
public interface SessionKeeper {
    /**
     * Takes ownership of a session; called at most once for each.
     *
     * @param session owned and closed by the keeper
     */
    void keep(TlsSession session);
}
