package dev.sluice.net;

import java.net.SocketAddress;

/** A handler of the connections that a listener accepts. Called on the loop's thread. */
public interface AcceptHandler {
    /** Takes a connection from a peer. The handler sets a {@link ConnectionHandler}, or aborts the connection. */
    void onAccepted(TcpConnection connection, SocketAddress peer);

    /**
     * Reports that a connection could not be accepted, for example for lack of descriptors; the listener resumes after
     * a pause.
     */
    void onAcceptFailed(ConnectionFailure failure);
}
