package dev.sluice.net.internal.peer;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import java.net.SocketAddress;

/** The server or the connect that a connection belongs to. Called on the connection's loop. */
public interface PeerOwner {
    /** Returns the handler of a connection whose handshake is complete. */
    TlsHandler handlerOf(TlsPeer peer);

    /** Reports that a handshake has failed; the connection closes by itself, and no handler was made for it. */
    void onHandshakeFailed(SocketAddress remote, ConnectionFailure failure);

    /** Reports the end of a connection for which no handler was made, after its failure where there was one. */
    void onClosedWithoutHandler();
}
