package dev.sluice.gateway;

import dev.sluice.net.Listener;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;

/**
 * A listener as one loop serves it.
 *
 * @param socket closed when the gateway drains
 * @param context owned by {@link GatewayLoop}
 * @param router where its connections go
 */
record ServedListener(Listener socket, SharedContext context, Router router) {
    /** Where it listens, the port chosen by the kernel included. */
    InetSocketAddress address() {
        return (InetSocketAddress) socket.address();
    }
}
