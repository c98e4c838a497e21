package dev.sluice.net.server;

import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.peer.PeerConnection;
import dev.sluice.net.internal.peer.PeerLoop;
import dev.sluice.net.internal.peer.PeerOwner;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.engine.DirectEngine;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server's part on one loop: its listener, its context and its connections. Confined to the loop's thread. */
final class ServerLoop implements AcceptHandler, PeerOwner {
    private final PeerLoop loop;
    private final Supplier<TlsHandler> handlers;
    private final FailureListener failures;
    private SharedContext context;
    private @Nullable Listener listener;

    /**
     * Creates the part, which does not listen yet.
     *
     * @param context owned from now on
     */
    ServerLoop(PeerLoop loop, SharedContext context, Supplier<TlsHandler> handlers, FailureListener failures) {
        this.loop = loop;
        this.context = context;
        this.handlers = handlers;
        this.failures = failures;
    }

    /** Returns the loop. From any thread. */
    PeerLoop loop() {
        return loop;
    }

    /** Listens, and returns the address with the port that the kernel has chosen. */
    InetSocketAddress listen(InetSocketAddress address) {
        Listener opened = loop.eventLoop().listen(address, ListenerOptions.defaults(), this);
        if (!loop.limits().keepAlive().isZero()) {
            opened.keepAlive(loop.limits().keepAlive());
        }
        listener = opened;
        return (InetSocketAddress) opened.address();
    }

    /** Serves new connections by another context, owned from now on; others keep theirs. */
    void replace(SharedContext newer) {
        context.close();
        context = newer;
    }

    /** Stops accepting, and reports the drain; completes a future when no connection is left. */
    void drain(CompletableFuture<Void> ended) {
        if (listener != null) {
            listener.close();
            listener = null;
        }
        loop.forEach(PeerConnection::drain);
        loop.whenEmpty(ended);
    }

    /** Closes the connections that are left in order; completes a future when none is left. */
    void closePeers(CompletableFuture<Void> ended) {
        loop.forEach(PeerConnection::close);
        loop.whenEmpty(ended);
    }

    /** Frees the context. After the loop has ended, from any thread. */
    void free() {
        context.close();
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress remote) {
        PeerConnection.start(
                loop,
                connection,
                DirectEngine.server(context, loop.eventLoop().loopCrypto()),
                loop.limits().handshakeDeadline().toMillis(),
                this);
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        if (listener != null) {
            failures.onFailed(listener.address(), failure);
        }
    }

    @Override
    public void onHandshakeFailed(SocketAddress remote, ConnectionFailure failure) {
        failures.onFailed(remote, failure);
    }

    @Override
    public void onClosedWithoutHandler() {
        // The failure was reported; a close by the server is none.
    }

    @Override
    public TlsHandler handlerOf(TlsPeer peer) {
        return handlers.get();
    }
}
