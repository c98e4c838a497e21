package dev.sluice.net.server;

import dev.sluice.net.channel.ChannelBridge;
import dev.sluice.net.channel.ChannelHandler;
import dev.sluice.net.peer.BackPressure;
import dev.sluice.net.peer.PeerBuilder;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.context.ServerContextBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A builder of TLS servers. A certificate and a handler are required. By default, the server listens on all IPv4
 * addresses and a free port, with one loop for each processor, and closes connections that are idle for five minutes.
 */
public final class TlsServerBuilder extends PeerBuilder<TlsServerBuilder> {
    private static final Duration IDLE_DEADLINE = Duration.ofMinutes(5);

    private final Map<String, List<IdentitySource>> hosts = new LinkedHashMap<>();
    private final List<Consumer<ServerContextBuilder>> settings = new ArrayList<>();
    private InetSocketAddress address = new InetSocketAddress(0);
    private @Nullable Supplier<TlsHandler> handlers;
    private FailureListener failures = FailureListener.TO_SYSTEM_LOGGER;
    private Duration drainDeadline = Duration.ofSeconds(10);

    TlsServerBuilder() {
        super("tls-server", Runtime.getRuntime().availableProcessors(), IDLE_DEADLINE, BackPressure.HOLD_BACK);
    }

    /** Sets the address; port 0 picks a free one, which {@link TlsServer#address()} returns. */
    public TlsServerBuilder address(InetSocketAddress listening) {
        this.address = listening;
        return this;
    }

    /** Sets the address to a port of the loopback interface. */
    public TlsServerBuilder loopback(int port) {
        return address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Adds a certificate from PEM files: for all clients, or for those that no {@link #host} is for. Several key types
     * can coexist, such as ECDSA and RSA.
     *
     * @param chain the certificate and its intermediates, in any order
     */
    public TlsServerBuilder certificate(Path chain, Path key) {
        return certificate(IdentitySource.pem(chain, key));
    }

    /** Adds a certificate from any source. */
    public TlsServerBuilder certificate(IdentitySource source) {
        return add(ServerCertificates.ANY_HOST, source);
    }

    /**
     * Adds a certificate for clients that request a name by SNI.
     *
     * @param serverName such as {@code api.example.com}, or {@code *.example.com} for all names with one more label
     */
    public TlsServerBuilder host(String serverName, IdentitySource source) {
        return add(serverName.toLowerCase(Locale.ROOT), source);
    }

    private TlsServerBuilder add(String serverName, IdentitySource source) {
        hosts.computeIfAbsent(serverName, name -> new ArrayList<>()).add(source);
        return this;
    }

    /** Sets the application protocols by preference. */
    public TlsServerBuilder alpn(String... protocols) {
        List<String> names = List.of(protocols);
        return tls(context -> context.alpn(names));
    }

    /**
     * Changes any TLS setting: versions, suites, groups, client certificates, tickets.
     *
     * @param change is called for each context that is built, by {@link TlsServer#reload()} too
     */
    public TlsServerBuilder tls(Consumer<ServerContextBuilder> change) {
        settings.add(change);
        return this;
    }

    /** Sets the handler of all connections, which keeps no state of one. */
    public TlsServerBuilder handler(TlsHandler shared) {
        return handlers(() -> shared);
    }

    /** Sets the source of a handler for each connection, called on the connection's loop. */
    public TlsServerBuilder handlers(Supplier<TlsHandler> source) {
        this.handlers = source;
        return this;
    }

    /** Serves each connection on a virtual thread of its own, with a blocking channel. */
    public TlsServerBuilder channels(ChannelHandler handler) {
        return handlers(() -> new ChannelBridge(channel -> ChannelThread.start(channel, handler)));
    }

    /** Sets the listener for accepts and handshakes that fail. By default, they are logged. */
    public TlsServerBuilder failures(FailureListener listener) {
        this.failures = listener;
        return this;
    }

    /** Sets the time in which {@link TlsServer#close()} lets connections finish: by default 10 s. */
    public TlsServerBuilder drainDeadline(Duration deadline) {
        this.drainDeadline = deadline;
        return this;
    }

    /**
     * Starts the server: it listens when this returns.
     *
     * @return the caller closes it
     * @throws dev.sluice.tls.failure.TlsConfigurationException when a certificate, key or setting is invalid
     * @throws dev.sluice.net.ListenException when the address is in use, not ours, or not permitted
     * @throws dev.sluice.ffi.openssl.raw.OpenSslNotFoundException when no OpenSSL is found
     */
    public TlsServer start() {
        Supplier<TlsHandler> source = Objects.requireNonNull(
                handlers, "a TLS server has no handler; call handler, handlers or channels before start");
        List<Consumer<ServerContextBuilder>> changes = List.copyOf(settings);
        ServerCertificates certificates =
                new ServerCertificates(hosts, context -> changes.forEach(change -> change.accept(context)));
        return TlsServer.start(
                address, loopCount(), loopConfig(), limits(), certificates, source, failures, drainDeadline);
    }

    @Override
    protected TlsServerBuilder self() {
        return this;
    }
}
