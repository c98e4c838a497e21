package dev.sluice.net;

import dev.sluice.memory.Slab;

/**
 * A handler of what happens on a {@link Connection}. All calls come on the loop's thread, one at a time; none may
 * block.
 *
 * <p>Order: any number of {@code onReceived} and {@code onSent}, at most one {@code onEndOfStream}, at most one
 * {@code onFailed}, and last, exactly once, {@code onClosed}.
 *
 * <p>What a handler throws goes to {@link UncaughtHandler} and ends the connection at once: {@code onFailed} with fault
 * OURS and reason {@code internal_error} follows, unless {@code onFailed} itself threw or was called before, then
 * {@code onClosed}. The same holds for errors of the library. A buffer whose {@code onReceived} threw returns to its
 * pool by itself, unless it was released or sent on before.
 */
public interface ConnectionHandler {
    /** Takes bytes that came: the slab's window. The handler owns the slab now: it releases it or sends it on. */
    void onReceived(Connection connection, Slab buffer);

    /**
     * Reports that the peer ended its direction cleanly: FIN on TCP, close_notify on TLS. Ours may still be used. On
     * TCP it may come while receiving is off, but not before it was on for the first time.
     */
    void onEndOfStream(Connection connection);

    /** Reports that queued bytes have left; {@link Connection#queuedBytes()} has become smaller. */
    void onSent(Connection connection);

    /**
     * Reports that the connection is broken and will close by itself; queued bytes are lost. May come while receiving
     * is off.
     */
    void onFailed(Connection connection, ConnectionFailure failure);

    /** Reports the end: the kernel and the library hold nothing of this connection any more. */
    void onClosed(Connection connection);
}
