package dev.sluice.tls.context;

/**
 * A decision about a server's early data. Called on the connections' threads inside their handshakes: must not block,
 * and an exception rejects. Rejected early data is skipped and the handshake continues; the client may send it again
 * after its Finished.
 */
public interface EarlyDataGate {
    /** Accepts all that libssl accepts: for a server that acts only after the client's Finished. */
    EarlyDataGate OPEN = offer -> true;

    /** Returns whether to accept the early data. */
    boolean accept(EarlyDataOffer offer);

    /**
     * Counts early data that was rejected as unfit: its ticket was unusable or too old, or its age misreported; server
     * name, protocol or cipher suite differ from the session's; or the client had to repeat its ClientHello.
     */
    default void unfit() {}
}
