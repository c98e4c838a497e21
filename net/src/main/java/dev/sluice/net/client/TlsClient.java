package dev.sluice.net.client;

import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.channel.ChannelBridge;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.internal.peer.LoopGroup;
import dev.sluice.net.internal.peer.PeerLoop;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.PeerLimits;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.TlsContext;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A TLS client on event loops of its own. One serves any number of connections to any servers, which take turns on its
 * loops.
 *
 * <pre>{@code
 * try (TlsClient client = TlsClient.builder().build();
 *         TlsChannel channel = client.open("example.org", 443)) {
 *     channel.outputStream().write(request);
 * }
 * }</pre>
 *
 * <p>The server's certificate must verify, and be for the host that is given. May be used from any thread.
 */
public final class TlsClient implements AutoCloseable {
    private static final int PORT_MAX = 65_535;

    private final LoopGroup group;
    private final List<ClientLoop> loops;
    private final AddressResolver resolver;
    private final long connectDeadlineMillis;
    private final AtomicInteger turn = new AtomicInteger();

    private TlsClient(LoopGroup group, List<ClientLoop> loops, AddressResolver resolver, long connectDeadlineMillis) {
        this.group = group;
        this.loops = List.copyOf(loops);
        this.resolver = resolver;
        this.connectDeadlineMillis = connectDeadlineMillis;
    }

    /** Creates a builder. */
    public static TlsClientBuilder builder() {
        return new TlsClientBuilder();
    }

    static TlsClient start(
            int loopCount,
            EventLoopConfig config,
            PeerLimits limits,
            Consumer<ClientContextBuilder> configure,
            int sessionsMax,
            AddressResolver resolver,
            long connectDeadlineMillis) {
        LoopGroup group = new LoopGroup(loopCount, config, limits);
        List<ClientLoop> loops = new ArrayList<>();
        try {
            for (PeerLoop each : group.loops()) {
                ClientContextBuilder builder = TlsContext.client();
                configure.accept(builder);
                loops.add(new ClientLoop(each, builder.build(), new ClientSessions(sessionsMax)));
            }
            return new TlsClient(group, loops, resolver, connectDeadlineMillis);
        } catch (RuntimeException e) {
            group.close();
            loops.forEach(ClientLoop::free);
            throw e;
        }
    }

    /**
     * Connects, with a handler that is called on a loop.
     *
     * @param host a DNS name or an IP address, which the server's certificate must be for
     * @return completes on the loop, when the handshake is complete and before {@link TlsHandler#onOpen}; or with a
     *     {@link ConnectionFailedException}. A cancel gives the connect up
     */
    public CompletableFuture<TlsPeer> connect(String host, int port, TlsHandler handler) {
        String name = plain(host);
        if (name.isEmpty() || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("cannot connect to host \"" + host + "\", port " + port
                    + "; use a name or an address, and a port from 1 to " + PORT_MAX);
        }
        ClientLoop loop = loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
        return new ServerConnection(loop, name, port, handler, connectDeadlineMillis).start(resolver);
    }

    /** Returns a host without the trailing dot of a name, or the brackets of an address. */
    private static String plain(String host) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        int end = host.length() - (bracketed || host.endsWith(".") ? 1 : 0);
        return host.substring(bracketed ? 1 : 0, end);
    }

    /**
     * Connects, and returns a blocking channel, which the caller closes. Parks the calling thread meanwhile.
     *
     * @param host a DNS name or an IP address, which the server's certificate must be for
     * @throws ConnectionFailedException when the server cannot be reached, or the handshake fails
     * @throws ClosedByInterruptException when the thread is interrupted
     */
    public TlsChannel open(String host, int port) throws IOException {
        group.requireOutside("open");
        CompletableFuture<TlsChannel> opened = new CompletableFuture<>();
        CompletableFuture<TlsPeer> connected = connect(host, port, new ChannelBridge(opened::complete));
        CompletableFuture<?> _ = connected.whenComplete((peer, thrown) -> {
            if (thrown != null) {
                opened.completeExceptionally(thrown);
            }
        });
        try {
            return opened.get();
        } catch (InterruptedException e) {
            connected.cancel(false);
            CompletableFuture<?> _ = opened.thenAccept(TlsClient::abort);
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ConnectionFailedException failed ? failed.forCaller() : new IOException(e);
        }
    }

    private static void abort(TlsChannel late) {
        try {
            late.abort();
        } catch (IOException e) {
            throw new IllegalStateException("the close of a channel does not fail", e);
        }
    }

    /**
     * Resets all connections, and ends the loops; close connections before to end them in order. Idempotent.
     *
     * @throws IllegalStateException on a loop
     */
    @Override
    public synchronized void close() {
        group.requireOutside("close");
        group.close();
        loops.forEach(ClientLoop::free);
    }

    @Override
    public String toString() {
        return "TLS client, " + loops.size() + " loops";
    }
}
