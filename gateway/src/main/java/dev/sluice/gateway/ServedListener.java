package dev.sluice.gateway;

import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.Intake;
import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.gateway.config.ServerNamePattern;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What the connections of a listener are served with. A client that has been accepted and whose handshake has not begun
 * counts as one who waits, and so does one that is not connected to its backend yet: the TLS contexts for both stay until it
 * is, even when a reload has put others in their place. Owns the listener's context, and holds the backends of its routes.
 * Confined to the loop's thread.
 */
final class ServedListener {
    private final InetSocketAddress address;
    private final String name;
    private final SharedContext context;
    private final Router router;
    private final ListenerConfig config;
    private final Consumer<BackendPool> unused;
    private final AtomicInteger connections;
    private int waiting;
    private boolean replaced;

    /**
     * @param address where it listens, the port chosen by the kernel included
     * @param router where its connections go
     * @param config what it was configured to do
     * @param connections those of the listener that are open, on all loops, as far as they are limited
     * @param unused told of each backend that nobody leads to any more, when this does no longer
     */
    ServedListener(
            InetSocketAddress address,
            SharedContext context,
            Router router,
            ListenerConfig config,
            AtomicInteger connections,
            Consumer<BackendPool> unused) {
        this.address = address;
        this.name = BackendConfig.text(address);
        this.context = context;
        this.router = router;
        this.config = config;
        this.connections = connections;
        this.unused = unused;
        router.hold();
    }

    InetSocketAddress address() {
        return address;
    }

    /** Where it listens, for people. */
    String name() {
        return name;
    }

    /** What engines are made of: not after {@link #retire}, but by those who wait. */
    SharedContext context() {
        return context;
    }

    Router router() {
        return router;
    }

    /** The configured name that a server name comes to; "" when it comes to none. */
    String hostOf(String serverName) {
        if (serverName.isEmpty()
                || config.certificates().size() > 1
                || !config.tls().hosts().isEmpty()) {
            return context.configuredName(serverName);
        }
        for (ServerNamePattern pattern : config.certificates().getFirst().serverNames()) {
            if (pattern.matches(serverName)) {
                return pattern.text();
            }
        }
        return "";
    }

    /** What becomes of early data. */
    EarlyDataMode earlyData() {
        return config.tls().earlyData();
    }

    /** Whom it lets in. */
    Intake intake() {
        return config.intake();
    }

    /** One more client wants in: whether the listener's own limit lets it; {@link #left()} must be called then. */
    boolean enter() {
        int most = config.intake().connections();
        if (most > 0 && connections.incrementAndGet() > most) {
            connections.decrementAndGet();
            return false;
        }
        return true;
    }

    /** A client that was let in has gone. */
    void left() {
        if (config.intake().connections() > 0) {
            connections.decrementAndGet();
        }
    }

    /** Its connections that are open, on all loops, as far as they are limited. */
    int connectionsNow() {
        return connections.get();
    }

    /** Whether clients can agree on a protocol. */
    boolean offersAlpn() {
        return !config.alpn().isEmpty();
    }

    /** Clients that wait now. */
    int waiting() {
        return waiting;
    }

    /** One more waits. */
    void waitingBegins() {
        waiting++;
    }

    /** One of them has what it waited for, or needs it no more. */
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
            router.release(unused);
        }
    }

    /** Frees the context when nobody can wait any more, for the loop has ended. */
    void close() {
        context.close();
    }
}
