package dev.sluice.net.channel;

import java.io.IOException;

/** A handler of a server's connections, each on a virtual thread of its own. */
@FunctionalInterface
public interface ChannelHandler {
    /**
     * Serves a connection; it is closed when this returns or throws.
     *
     * @throws IOException which is logged, at level DEBUG when it is a {@link
     *     dev.sluice.net.peer.ConnectionFailedException} of the peer's fault
     */
    void serve(TlsChannel channel) throws IOException;
}
