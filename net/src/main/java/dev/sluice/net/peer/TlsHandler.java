package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.Fault;
import java.lang.System.Logger.Level;

/**
 * A handler of TLS connections whose handshake is complete. One that keeps no state serves all connections of a server;
 * else each connection gets its own.
 *
 * <p>All calls come on the connection's loop, one at a time, and must not block. Order: {@code onOpen}, any number of
 * {@code onReceived} and {@code onWritable}, at most one {@code onEndOfStream}, {@code onDrain} and {@code onFailed},
 * and last, exactly once, {@code onClosed}.
 *
 * <p>An exception of a handler aborts its connection, and no other: {@code onFailed} follows with the fault
 * {@link Fault#OURS}, and the exception goes to the server's or the client's
 * {@link dev.sluice.net.UncaughtHandler}.
 */
@FunctionalInterface
public interface TlsHandler {
    /**
     * Receives bytes. They are valid until this returns; to keep them, copy them or {@linkplain ReceivedBytes#take()
     * take their buffer}.
     */
    void onReceived(TlsPeer peer, ReceivedBytes bytes);

    /** Reports that the handshake is complete. Receiving is on; {@link TlsPeer#pause()} turns it off. */
    default void onOpen(TlsPeer peer) {}

    /** Reports that {@link TlsPeer#isWritable()} is true again. */
    default void onWritable(TlsPeer peer) {}

    /** Reports that the peer has sent close_notify. By default, closes when what is queued has left. */
    default void onEndOfStream(TlsPeer peer) {
        peer.close();
    }

    /**
     * Reports that the server is to be closed within its grace period, and accepts no more. By default, closes when
     * what is queued has left; a handler of a protocol with longer answers finishes them first.
     */
    default void onDrain(TlsPeer peer) {
        peer.close();
    }

    /**
     * Reports that the connection is broken; what is queued is lost. By default, logs to the system logger
     * {@code dev.sluice.net}: at level WARNING when the fault is ours, else at level DEBUG.
     */
    default void onFailed(TlsPeer peer, ConnectionFailure failure) {
        Level level = failure.fault() == Fault.OURS ? Level.WARNING : Level.DEBUG;
        System.getLogger("dev.sluice.net").log(level, failure.message());
    }

    /** Reports the end; nothing of the connection is left. */
    default void onClosed(TlsPeer peer) {}
}
