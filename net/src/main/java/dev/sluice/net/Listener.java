package dev.sluice.net;

import java.net.SocketAddress;
import java.time.Duration;

/** A listening socket of one event loop. Confined to the loop's thread. */
public interface Listener {
    /** Returns the address that it listens on, with the port chosen by the kernel. */
    SocketAddress address();

    /** Sets {@link TcpConnection#keepAlive}, for connections that are accepted from now on. */
    void keepAlive(Duration idle);

    /**
     * Returns the listening socket's descriptor, for passing it to another process. The listener's, and good until
     * {@link #close}.
     */
    int descriptor();

    /**
     * Looks for connections that wait and that nobody was woken for. Of those who accept on one socket io_uring wakes
     * one for each connection; when that one stops at this moment, the others do not hear of it before the next
     * connection.
     */
    void lookAgain();

    /**
     * Accepts no more, and keeps the socket open: what the kernel has queued waits for whoever else accepts on it.
     * Connections that had been accepted by then are told of first. Once; only {@link #close} may follow.
     *
     * @param whenResting is run then, on the loop's thread, and never before this call returns
     */
    void rest(Runnable whenResting);

    /** Accepts no more; what the kernel has queued is refused when the last descriptor of the socket closes. */
    void close();
}
