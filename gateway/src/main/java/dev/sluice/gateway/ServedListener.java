package dev.sluice.gateway;

import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;

/**
 * What the connections of a listener are served with. A client that has been accepted and whose handshake has not begun
 * counts as one who waits: its context stays until it has, even when a reload has put another in its place. Owns the context.
 * Confined to the loop's thread.
 */
final class ServedListener {
    private final InetSocketAddress address;
    private final SharedContext context;
    private final Router router;
    private final ListenerConfig config;
    private int waiting;
    private boolean replaced;

    /**
     * @param address where it listens, the port chosen by the kernel included
     * @param router where its connections go
     * @param config what it was configured to do
     */
    ServedListener(InetSocketAddress address, SharedContext context, Router router, ListenerConfig config) {
        this.address = address;
        this.context = context;
        this.router = router;
        this.config = config;
    }

    InetSocketAddress address() {
        return address;
    }

    /** What engines are made of: not after {@link #retire}, but by those who wait. */
    SharedContext context() {
        return context;
    }

    Router router() {
        return router;
    }

    /** What becomes of early data. */
    EarlyDataMode earlyData() {
        return config.tls().earlyData();
    }

    /** Whether clients can agree on a protocol. */
    boolean offersAlpn() {
        return !config.alpn().isEmpty();
    }

    /** One more waits. */
    void waitingBegins() {
        waiting++;
    }

    /** One of them has an engine now, or needs none any more. */
    void waitingEnds() {
        waiting--;
        closeIfDone();
    }

    /** Nobody comes any more. */
    void retire() {
        replaced = true;
        closeIfDone();
    }

    private void closeIfDone() {
        if (replaced && waiting == 0) {
            context.close();
        }
    }

    /** Frees the context when nobody can wait any more, for the loop has ended. */
    void close() {
        context.close();
    }
}
