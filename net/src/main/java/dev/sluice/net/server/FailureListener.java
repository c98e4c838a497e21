package dev.sluice.net.server;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.Fault;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;

/** A listener for the failures of connections that no handler has: accepts and handshakes. Called on a loop. */
@FunctionalInterface
public interface FailureListener {
    /**
     * Logs to the system logger {@code dev.sluice.net}: failures that are the peer's fault at level DEBUG, since
     * anybody can cause them, others at level WARNING.
     */
    FailureListener TO_SYSTEM_LOGGER = (address, failure) -> {
        boolean peers = failure.fault() == Fault.PEER_MISBEHAVED || failure.fault() == Fault.PEER_INCOMPATIBLE;
        System.getLogger("dev.sluice.net").log(peers ? Level.DEBUG : Level.WARNING, failure.message());
    };

    /**
     * Reports a failure.
     *
     * @param address the peer's, or the server's for an accept
     */
    void onFailed(SocketAddress address, ConnectionFailure failure);
}
