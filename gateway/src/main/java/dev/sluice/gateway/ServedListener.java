package dev.sluice.gateway;

import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.net.Listener;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;

/**
 * A listener as one loop serves it.
 *
 * @param socket closed when the gateway drains
 * @param context owned by {@link GatewayLoop}
 * @param router where its connections go
 * @param config what it was configured to do
 */
record ServedListener(Listener socket, SharedContext context, Router router, ListenerConfig config) {
    /** What becomes of early data. */
    EarlyDataMode earlyData() {
        return config.tls().earlyData();
    }

    /** Whether clients can agree on a protocol. */
    boolean offersAlpn() {
        return !config.alpn().isEmpty();
    }

    /** Where it listens, the port chosen by the kernel included. */
    InetSocketAddress address() {
        return (InetSocketAddress) socket.address();
    }
}
