package dev.sluice.jsse.socket;

import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** A source of engines with the keys, the trust and the session cache of one {@code SSLContext}. Thread-safe. */
@FunctionalInterface
public interface SocketEngines {
    /**
     * Returns an engine that has not begun its handshake. The caller sets its mode, and closes both of its directions.
     *
     * @param peerHost the peer's host name or address, for server name indication, verification and the session cache;
     *     null when it is not known
     * @param peerPort the peer's port; -1 when it is not known
     */
    SSLEngine create(@Nullable String peerHost, int peerPort);
}
