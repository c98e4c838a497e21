package dev.sluice.net.server;

import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.internal.peer.LoopGroup;
import dev.sluice.net.internal.peer.PeerLoop;
import dev.sluice.net.peer.PeerLimits;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A TLS server on event loops of its own, each of which accepts on the address.
 *
 * <pre>{@code
 * TlsServer server = TlsServer.builder()
 *         .address(new InetSocketAddress(8443))
 *         .certificate(Path.of("server.pem"), Path.of("server.key"))
 *         .handler((peer, bytes) -> peer.write(bytes))
 *         .start();
 * }</pre>
 *
 * <p>Clients resume their sessions on any loop; the keys of their tickets rotate every twelve hours. May be used from
 * any thread but the loops'.
 */
public final class TlsServer implements AutoCloseable {
    private static final Duration TICKET_ROTATE = Duration.ofHours(12);
    private static final Duration TICKET_KEEP = Duration.ofHours(24);

    private final LoopGroup group;
    private final TicketKeyRing tickets;
    private final ServerCertificates certificates;
    private final Duration drainDeadline;
    private final Duration closeDeadline;
    private final List<ServerLoop> loops = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private InetSocketAddress address;

    private TlsServer(
            InetSocketAddress address,
            LoopGroup group,
            TicketKeyRing tickets,
            ServerCertificates certificates,
            Duration drainDeadline,
            Duration closeDeadline) {
        this.address = address;
        this.group = group;
        this.tickets = tickets;
        this.certificates = certificates;
        this.drainDeadline = drainDeadline;
        this.closeDeadline = closeDeadline;
    }

    /** Creates a builder. */
    public static TlsServerBuilder builder() {
        return new TlsServerBuilder();
    }

    static TlsServer start(
            InetSocketAddress address,
            int loopCount,
            EventLoopConfig config,
            PeerLimits limits,
            ServerCertificates certificates,
            Supplier<TlsHandler> handlers,
            FailureListener failures,
            Duration drainDeadline) {
        TicketKeyRing tickets = new TicketKeyRing(TICKET_ROTATE, TICKET_KEEP, InstantSource.system());
        try {
            List<SharedContext> contexts = certificates.build(loopCount, tickets);
            TlsServer server = new TlsServer(
                    address,
                    startLoops(loopCount, config, limits, contexts),
                    tickets,
                    certificates,
                    drainDeadline,
                    Duration.ofMillis(config.closeTimeoutMillis()));
            server.listen(contexts, handlers, failures);
            return server;
        } catch (RuntimeException e) {
            tickets.close();
            throw e;
        }
    }

    private static LoopGroup startLoops(
            int count, EventLoopConfig config, PeerLimits limits, List<SharedContext> contexts) {
        try {
            return new LoopGroup(count, config, limits);
        } catch (RuntimeException e) {
            contexts.forEach(SharedContext::close);
            throw e;
        }
    }

    /** Listens on each loop: the others on the port that the first one got. */
    private void listen(List<SharedContext> contexts, Supplier<TlsHandler> handlers, FailureListener failures) {
        List<PeerLoop> peerLoops = group.loops();
        for (int i = 0; i < peerLoops.size(); i++) {
            loops.add(new ServerLoop(peerLoops.get(i), contexts.get(i), handlers, failures));
        }
        try {
            for (ServerLoop each : loops) {
                InetSocketAddress wanted = address;
                address = join(each.loop().call(() -> each.listen(wanted)));
            }
        } catch (RuntimeException e) {
            group.close();
            loops.forEach(ServerLoop::free);
            throw e;
        }
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Returns the address that the server listens on, with the port that the kernel has chosen. */
    public InetSocketAddress address() {
        return address;
    }

    /** Returns the number of open connections, handshakes included; 0 after the close. */
    public int connections() {
        try {
            return loops.stream()
                    .mapToInt(each -> join(each.loop().call(() -> each.loop().size())))
                    .sum();
        } catch (RejectedExecutionException closed) {
            return 0;
        }
    }

    /**
     * Reads the certificates, keys and authorities again, and serves new connections by them; others keep theirs.
     *
     * @throws dev.sluice.tls.failure.TlsConfigurationException when they are invalid; the current ones stay active
     * @throws IllegalStateException on a loop, and after the close
     */
    public synchronized void reload() {
        group.requireOutside("reload");
        if (closing.get()) {
            throw new IllegalStateException("reload of a closed TLS server, address=" + address);
        }
        List<SharedContext> contexts = certificates.build(loops.size(), tickets);
        for (int i = 0; i < contexts.size(); i++) {
            SharedContext context = contexts.get(i);
            ServerLoop loop = loops.get(i);
            join(loop.loop().call(() -> {
                loop.replace(context);
                return context;
            }));
        }
    }

    /** Drains and closes within the drain deadline of the builder; see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(drainDeadline);
    }

    /**
     * Accepts no more, reports {@link TlsHandler#onDrain} to each connection, and waits until all have ended. Those
     * that are left after the grace period are closed in order, within the close deadline. Idempotent.
     *
     * @throws IllegalStateException on a loop
     */
    public void close(Duration grace) {
        group.requireOutside("close");
        if (closing.getAndSet(true)) {
            return;
        }
        try {
            awaitAll(ServerLoop::drain, grace);
            awaitAll(ServerLoop::closePeers, closeDeadline);
        } finally {
            free();
        }
    }

    private synchronized void free() {
        group.close();
        loops.forEach(ServerLoop::free);
        tickets.close();
    }

    /** Runs a step on each loop, and waits for all of them. */
    private void awaitAll(BiConsumer<ServerLoop, CompletableFuture<Void>> step, Duration limit) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (ServerLoop each : loops) {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            ends.add(ended);
            each.loop().eventLoop().execute(() -> step.accept(each, ended));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    @Override
    public String toString() {
        return "TLS server on " + address + ", " + loops.size() + " loops" + (closing.get() ? ", closed" : "");
    }
}
