package dev.sluice.net;

import java.net.SocketAddress;

/** A listening socket of one event loop. Confined to the loop's thread. */
public interface Listener {
    /** Where it listens, the port chosen by the kernel included. */
    SocketAddress address();

    /** Accepts no more; what the kernel has queued is refused when the socket closes. */
    void close();
}
