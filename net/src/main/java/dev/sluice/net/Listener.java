package dev.sluice.net;

import java.net.SocketAddress;
import java.time.Duration;

/** A listening socket of one event loop. Confined to the loop's thread. */
public interface Listener {
    /** Where it listens, the port chosen by the kernel included. */
    SocketAddress address();

    /** The same as {@link TcpConnection#keepAlive}, for connections that are accepted from now on. */
    void keepAlive(Duration idle);

    /** Accepts no more; what the kernel has queued is refused when the socket closes. */
    void close();
}
