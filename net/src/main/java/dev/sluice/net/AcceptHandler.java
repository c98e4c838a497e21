package dev.sluice.net;

import java.net.SocketAddress;

/** Told of connections that a listener accepts. Called on the loop's thread. */
public interface AcceptHandler {
    /** A peer connected. The handler sets a {@link ConnectionHandler}, or aborts the connection. */
    void onAccepted(TcpConnection connection, SocketAddress peer);

    /** A connection could not be accepted, for example for want of descriptors; the listener goes on after a pause. */
    void onAcceptFailed(ConnectionFailure failure);
}
