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

/**
 * One loop's socket of a listener, and what its connections are served with: exchanged by a reload, while connections that
 * were accepted before go on with what they began with. Owns socket and TLS context. Confined to the loop's thread.
 */
final class ListeningSocket implements AcceptHandler {
    private final GatewayLoop loop;
    /** As configured, port 0 included: what a reload knows it by. */
    private final InetSocketAddress configured;

    private final Listener socket;
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
        this.socket = loop.eventLoop().listen(address, ListenerOptions.defaults(), this);
        if (!config.intake().keepAlive().isZero()) {
            socket.keepAlive(config.intake().keepAlive());
        }
        this.served = loop.served(address(), context, config);
    }

    InetSocketAddress configured() {
        return configured;
    }

    /** Where it listens, the port chosen by the kernel included. */
    InetSocketAddress address() {
        return (InetSocketAddress) socket.address();
    }

    /** Serves new connections as this says from now on; the context is the socket's from now on. */
    void serve(ListenerConfig config, SharedContext context) {
        ServedListener old = served;
        if (!config.intake().keepAlive().equals(old.intake().keepAlive())) {
            socket.keepAlive(config.intake().keepAlive());
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

    /** Accepts no more. */
    void stop() {
        socket.close();
    }

    /** Accepts no more, for good: what its connections still use is freed when the last of them ends. */
    void retire() {
        stop();
        served.retire();
    }

    /** After the loop's end, from any thread. */
    void freeContext() {
        served.close();
    }
}
