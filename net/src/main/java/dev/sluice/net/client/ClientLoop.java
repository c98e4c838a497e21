package dev.sluice.net.client;

import dev.sluice.net.internal.peer.PeerLoop;
import dev.sluice.tls.context.TlsContext;

/**
 * A client's part on one loop.
 *
 * @param context owned; freed after the loop's end
 */
record ClientLoop(PeerLoop loop, TlsContext context, ClientSessions sessions) {
    /** Frees sessions and context. After the loop has ended, from any thread. */
    void free() {
        sessions.close();
        context.close();
    }
}
