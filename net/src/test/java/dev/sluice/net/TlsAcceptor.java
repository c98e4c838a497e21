package dev.sluice.net;

import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.HandshakeInfo;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An acceptor that starts TLS on each connection, and passes it to a handler after the handshake. */
final class TlsAcceptor implements AcceptHandler, ConnectHandler, HandshakeHandler {
    private final Supplier<BufferedEngine> engines;
    private final long handshakeTimeoutMillis;
    private final ConnectionHandler handler;
    final CompletableFuture<TlsConnection> begun = new CompletableFuture<>();
    final CompletableFuture<TlsConnection> made = new CompletableFuture<>();
    final CompletableFuture<HandshakeInfo> info = new CompletableFuture<>();
    final CompletableFuture<ConnectionFailure> handshakeFailed = new CompletableFuture<>();
    /** Begins to receive when the handshake is complete. */
    boolean receivesAtOnce = true;

    final AtomicInteger handshakes = new AtomicInteger();
    final AtomicInteger handshakeFailures = new AtomicInteger();

    /**
     * Creates a tls acceptor.
     *
     * @param engines makes a fresh engine for each connection, on the loop's thread
     */
    TlsAcceptor(Supplier<BufferedEngine> engines, long handshakeTimeoutMillis, ConnectionHandler handler) {
        this.engines = engines;
        this.handshakeTimeoutMillis = handshakeTimeoutMillis;
        this.handler = handler;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        onConnected(connection);
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        handshakeFailed.complete(failure);
    }

    @Override
    public void onConnected(TcpConnection connection) {
        TlsConnection tls = connection.startTls(engines.get(), handshakeTimeoutMillis, this);
        tls.handler(handler);
        begun.complete(tls);
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        handshakeFailed.complete(failure);
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo handshakeInfo) {
        handshakes.incrementAndGet();
        if (receivesAtOnce) {
            connection.startReceiving();
        }
        info.complete(handshakeInfo);
        made.complete(connection);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        handshakeFailures.incrementAndGet();
        handshakeFailed.complete(failure);
    }
}
