package dev.sluice.gateway.session;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.EchConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ListenerConfig.ClientFingerprint;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.gateway.backend.BackendPool;
import dev.sluice.tls.context.ClientHelloNames;
import dev.sluice.tls.context.SharedContext;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context, the routes and the limits by which one loop serves a listener's connections, until a reload replaces
 * them. Confined to the loop's thread.
 *
 * <p>Owns the context, and holds the backends of its routes. Each {@link Session} that is not connected to its backend
 * yet holds this object: what it needs for its handshake and its route stays until it is connected, even after a
 * reload.
 */
public final class ServedListener {
    private final InetSocketAddress address;
    private final String name;
    private final @Nullable SharedContext context;
    private final Router router;
    private final ListenerConfig config;
    private final Consumer<BackendPool> unused;
    private final AtomicInteger connections;
    private final KernelRecords kernelRecords;
    private final boolean passesSome;
    private int holders;
    private boolean replaced;

    /**
     * Makes one.
     *
     * @param address the address that it listens on, with the port chosen by the kernel
     * @param context this object's from now on; null for a listener without TLS
     * @param router the routes of its connections
     * @param config its configuration
     * @param connections the number of the listener's open connections, on all loops, as far as they are limited
     * @param unused called for each backend that no route leads to any more
     */
    ServedListener(
            InetSocketAddress address,
            @Nullable SharedContext context,
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
        this.kernelRecords = KernelRecords.of(config.tls().records());
        this.passesSome = config.passes();
        this.unused = unused;
        router.hold();
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns the address that it listens on, for logs. */
    String name() {
        return name;
    }

    /** Returns the context of its connections; after {@link #retire}, only for those who hold this object. */
    SharedContext context() {
        return Objects.requireNonNull(context, "a listener without TLS");
    }

    /** Returns the port of the https address that it redirects plain HTTP to; 0: it speaks TLS. */
    int redirectPort() {
        return config.redirectPort();
    }

    /** Returns the first phase of a client that is known. */
    IdentifiedPhase firstPhase(Session session) {
        return switch (config.kind()) {
            case REDIRECT -> new RedirectPhase(session);
            case PLAIN -> new PlainPhase(session);
            case TLS -> readsHellos(session) ? new PeekPhase(session) : new HelloPhase(session);
        };
    }

    /** Returns true when something depends on the whole ClientHello. */
    private boolean readsHellos(Session session) {
        return passesSome || makesFingerprints() || session.loop().challenges().expectsHandshakes();
    }

    /** Returns true when it makes a fingerprint of each client. */
    boolean makesFingerprints() {
        return config.fingerprint() == ClientFingerprint.JA4;
    }

    /** Returns true when it has certificates, and so can answer handshakes. */
    boolean terminates() {
        return context != null;
    }

    /** Returns the route of a client whose TLS is passed through; null when it is not. */
    Router.@Nullable Route passthrough(ClientHelloNames hello) {
        String negotiated = "";
        for (String offered : config.alpn()) {
            if (hello.alpn().contains(offered)) {
                negotiated = offered;
                break;
            }
        }
        return router.passthrough(hello, negotiated);
    }

    public Router router() {
        return router;
    }

    /** Returns the name that clients with Encrypted ClientHello send in the clear; "" without. */
    String publicName() {
        EchConfig ech = config.tls().ech();
        return ech == null ? "" : ech.publicName();
    }

    /** Returns the configured name that matches a server name; "" when none does. */
    String hostOf(String serverName) {
        if (serverName.isEmpty()
                || config.certificates().size() > 1
                || !config.tls().hosts().isEmpty()) {
            return context().configuredName(serverName);
        }
        for (ServerNamePattern pattern : config.certificates().getFirst().serverNames()) {
            if (pattern.matches(serverName)) {
                return pattern.text();
            }
        }
        return "";
    }

    /** Returns what becomes of early data. */
    EarlyDataMode earlyData() {
        return config.tls().earlyData();
    }

    /** Returns whether the kernel takes its connections over. */
    KernelRecords kernelRecords() {
        return kernelRecords;
    }

    /** Returns which clients it accepts. */
    AcceptPolicy acceptPolicy() {
        return config.acceptPolicy();
    }

    /**
     * Returns true when the listener's own limit lets one more client in; {@link #left()} must be called for it then.
     */
    boolean enter() {
        int most = config.acceptPolicy().connections();
        if (most > 0 && connections.incrementAndGet() > most) {
            connections.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Notes that a client that was let in has left. */
    void left() {
        if (config.acceptPolicy().connections() > 0) {
            connections.decrementAndGet();
        }
    }

    /** Returns the number of its open connections, on all loops, as far as they are limited. */
    public int connectionsNow() {
        return connections.get();
    }

    /** Returns true when clients can negotiate a protocol by ALPN. */
    boolean offersAlpn() {
        return !config.alpn().isEmpty();
    }

    /** Returns the number of sessions that hold this object. */
    public int holders() {
        return holders;
    }

    /** Holds the context and the backends for one more session. */
    void hold() {
        holders++;
    }

    /** Lets go of the context and the backends on behalf of one session. */
    void release() {
        holders--;
        closeIfDone();
    }

    /** Serves no more connections than those that hold this object. */
    void retire() {
        replaced = true;
        closeIfDone();
    }

    private void closeIfDone() {
        if (replaced && holders == 0) {
            close();
            router.release(unused);
        }
    }

    /** Frees the context after the end of the loop. */
    void close() {
        if (context != null) {
            context.close();
        }
    }
}
