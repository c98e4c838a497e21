package dev.sluice.gateway.session;

import dev.sluice.config.model.ListenerConfig;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.context.SharedContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One loop's socket of a listener, and the {@link ServedListener} for new connections: a reload replaces that, while
 * connections that were accepted before keep theirs. Owns socket and TLS context. Confined to the loop's thread.
 */
public final class ListeningSocket implements AcceptHandler {
    private final GatewayLoop loop;
    /** The configured address, port 0 included, by which a reload finds the listener. */
    private final InetSocketAddress configured;

    /** One, or several that a hot restart inherited from a gateway with more loops. */
    private final List<Listener> sockets = new ArrayList<>();

    private ServedListener served;

    /**
     * Listens.
     *
     * @param address the configured one, its port replaced by the one that the first loop got
     * @param context the socket's from now on; null for one without TLS
     * @throws dev.sluice.net.ListenException when it cannot; the context is still the caller's then
     */
    public ListeningSocket(
            GatewayLoop loop, ListenerConfig config, InetSocketAddress address, @Nullable SharedContext context) {
        this.loop = loop;
        this.configured = config.address();
        this.sockets.add(loop.eventLoop().listen(address, ListenerOptions.defaults(), this));
        keepAlive(config);
        this.served = loop.served(address(), context, config);
    }

    /**
     * Accepts on sockets that listen already.
     *
     * @param descriptors at least one; the event loop's from now on
     * @param context the socket's from now on
     * @throws dev.sluice.net.ListenException when it cannot; the context is still the caller's then
     */
    public ListeningSocket(
            GatewayLoop loop, ListenerConfig config, List<Integer> descriptors, @Nullable SharedContext context) {
        this.loop = loop;
        this.configured = config.address();
        for (int descriptor : descriptors) {
            sockets.add(loop.eventLoop().adopt(descriptor, ListenerOptions.defaults(), this));
        }
        keepAlive(config);
        this.served = loop.served(address(), context, config);
    }

    private void keepAlive(ListenerConfig config) {
        if (!config.acceptPolicy().keepAlive().isZero()) {
            sockets.forEach(socket -> socket.keepAlive(config.acceptPolicy().keepAlive()));
        }
    }

    public InetSocketAddress configured() {
        return configured;
    }

    /** Returns the address that it listens on, with the port chosen by the kernel. */
    public InetSocketAddress address() {
        return (InetSocketAddress) sockets.getFirst().address();
    }

    /** Returns what new connections are served by. */
    public ServedListener served() {
        return served;
    }

    /** Returns the descriptors that it accepts on, which stay its own. */
    public List<Integer> descriptors() {
        return sockets.stream().map(Listener::descriptor).toList();
    }

    /** Serves new connections by another configuration; the context is the socket's from now on. */
    public void serve(ListenerConfig config, @Nullable SharedContext context) {
        ServedListener old = served;
        if (!config.acceptPolicy().keepAlive().equals(old.acceptPolicy().keepAlive())) {
            sockets.forEach(socket -> socket.keepAlive(config.acceptPolicy().keepAlive()));
        }
        served = loop.served(address(), context, config);
        old.retire();
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        loop.accept(served, connection, (InetSocketAddress) peer);
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        loop.acceptFailed(failure);
    }

    /** Looks for clients that wait to be accepted without a wake-up. */
    public void lookAgain() {
        sockets.forEach(Listener::lookAgain);
    }

    /**
     * Stops to accept: accepted clients are served, and those that wait in a queue shared with another process are left
     * to it.
     *
     * @param whenStopped run when no more clients come
     */
    void stop(Runnable whenStopped) {
        AtomicInteger left = new AtomicInteger(sockets.size());
        for (Listener socket : sockets) {
            socket.rest(() -> {
                socket.close();
                if (left.decrementAndGet() == 0) {
                    whenStopped.run();
                }
            });
        }
    }

    /** Stops to accept for good: what its connections still use is freed when the last of them ends. */
    public void retire() {
        sockets.forEach(Listener::close);
        served.retire();
    }

    /** Frees the context after the end of the loop, from any thread. */
    void freeContext() {
        served.close();
    }
}
