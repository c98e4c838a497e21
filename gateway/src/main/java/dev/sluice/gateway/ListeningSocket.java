package dev.sluice.gateway;

import dev.sluice.gateway.config.ListenerConfig;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.SharedContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One loop's socket of a listener, and what its connections are served with: exchanged by a reload, while connections that
 * were accepted before go on with what they began with. Owns socket and TLS context. Confined to the loop's thread.
 */
final class ListeningSocket implements AcceptHandler {
    private final GatewayLoop loop;
    /** As configured, port 0 included: what a reload knows it by. */
    private final InetSocketAddress configured;

    /** One, or several that were passed on by a gateway with more loops than this one. */
    private final List<Listener> sockets = new ArrayList<>();

    private ServedListener served;

    /**
     * Listens.
     *
     * @param address the configured one, its port replaced by the one that the first loop got
     * @param context the socket's from now on
     * @throws dev.sluice.net.ListenException when it cannot; the context is still the caller's then
     */
    ListeningSocket(GatewayLoop loop, ListenerConfig config, InetSocketAddress address, SharedContext context) {
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
    ListeningSocket(GatewayLoop loop, ListenerConfig config, List<Integer> descriptors, SharedContext context) {
        this.loop = loop;
        this.configured = config.address();
        for (int descriptor : descriptors) {
            sockets.add(loop.eventLoop().adopt(descriptor, ListenerOptions.defaults(), this));
        }
        keepAlive(config);
        this.served = loop.served(address(), context, config);
    }

    private void keepAlive(ListenerConfig config) {
        if (!config.intake().keepAlive().isZero()) {
            sockets.forEach(socket -> socket.keepAlive(config.intake().keepAlive()));
        }
    }

    InetSocketAddress configured() {
        return configured;
    }

    /** Where it listens, the port chosen by the kernel included. */
    InetSocketAddress address() {
        return (InetSocketAddress) sockets.getFirst().address();
    }

    /** What its connections are served with now. */
    ServedListener served() {
        return served;
    }

    /** The descriptors that it accepts on, which stay its own. */
    List<Integer> descriptors() {
        return sockets.stream().map(Listener::descriptor).toList();
    }

    /** Serves new connections as this says from now on; the context is the socket's from now on. */
    void serve(ListenerConfig config, SharedContext context) {
        ServedListener old = served;
        if (!config.intake().keepAlive().equals(old.intake().keepAlive())) {
            sockets.forEach(socket -> socket.keepAlive(config.intake().keepAlive()));
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

    /** Looks for clients that wait and that nobody was woken for. */
    void lookAgain() {
        sockets.forEach(Listener::lookAgain);
    }

    /**
     * Accepts no more; who has been accepted is served, and who waits in a queue that another process shares is its.
     *
     * @param whenStopped is run when nobody comes any more
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

    /** Accepts no more, for good: what its connections still use is freed when the last of them ends. */
    void retire() {
        sockets.forEach(Listener::close);
        served.retire();
    }

    /** After the loop's end, from any thread. */
    void freeContext() {
        served.close();
    }
}
