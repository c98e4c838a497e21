package dev.sluice.net;

import dev.sluice.tls.HandshakeInfo;
import dev.sluice.tls.MemoryEngine;
import dev.sluice.tls.TlsContext;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Puts TLS on each connection that is accepted or made, and hands it to a handler after the handshake. */
final class TlsAcceptor implements AcceptHandler, ConnectHandler, HandshakeHandler {
    private final TlsContext context;
    private final String host;
    private final long handshakeTimeoutMillis;
    private final ConnectionHandler handler;
    final CompletableFuture<TlsConnection> begun = new CompletableFuture<>();
    final CompletableFuture<TlsConnection> made = new CompletableFuture<>();
    final CompletableFuture<HandshakeInfo> info = new CompletableFuture<>();
    final CompletableFuture<ConnectionFailure> handshakeFailed = new CompletableFuture<>();
    final AtomicInteger handshakes = new AtomicInteger();
    final AtomicInteger handshakeFailures = new AtomicInteger();

    /** @param host whom a client wants; "" for a server */
    TlsAcceptor(TlsContext context, String host, long handshakeTimeoutMillis, ConnectionHandler handler) {
        this.context = context;
        this.host = host;
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
        MemoryEngine engine = host.isEmpty() ? MemoryEngine.server(context) : MemoryEngine.client(context, host);
        TlsConnection tls = TlsConnection.start(connection, engine, handshakeTimeoutMillis, this);
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
        connection.startReceiving();
        info.complete(handshakeInfo);
        made.complete(connection);
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        handshakeFailures.incrementAndGet();
        handshakeFailed.complete(failure);
    }
}
