package dev.sluice.net;

import dev.sluice.memory.Slab;
import dev.sluice.tls.engine.EarlyData;

/**
 * A {@link HandshakeHandler} of a server that takes early data. Give one to {@link TcpConnection#startTls} together
 * with an engine whose context has a {@link dev.sluice.tls.context.EarlyDataPolicy}; with any other handler early data
 * is refused.
 *
 * <p>Early data may have been recorded from somebody else and sent again. It comes by {@link #onEarlyData} and by
 * nothing else; what a {@link ConnectionHandler} receives is never early. That the client is there is known with
 * {@link #onHandshake}, and not before. What is sent meanwhile leaves at once, unless its queue is long.
 */
public interface EarlyDataHandler extends HandshakeHandler {
    /** Reports that the client's early data was accepted. Once, before any of it comes; it may be none. */
    void onEarlyDataAccepted(TlsConnection connection, EarlyData early);

    /** Takes some of it: the slab's window. The handler owns the slab now. */
    void onEarlyData(TlsConnection connection, Slab buffer);
}
