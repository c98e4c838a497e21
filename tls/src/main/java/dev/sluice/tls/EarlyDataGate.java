package dev.sluice.tls;

/**
 * Decides which early data a server takes. Called on the threads of the connections, inside their handshakes: must not
 * block, and what throws rejects. Early data that is not taken is skipped, and the handshake goes on; the client sends it
 * again behind its Finished, if it wants to.
 */
public interface EarlyDataGate {
    /** Takes all that libssl takes: for a server that waits for the client's Finished before it does anything. */
    EarlyDataGate OPEN = offer -> true;

    /** Whether the early data is taken. */
    boolean accept(EarlyDataOffer offer);

    /**
     * A client offered early data that does not fit: its ticket is of no use or too old, or its age told wrongly; server name,
     * protocol or cipher suite are not the session's; or it had to send its ClientHello again. It was refused.
     */
    default void unfit() {}
}
