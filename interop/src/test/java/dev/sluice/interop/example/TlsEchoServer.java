package dev.sluice.interop.example;

import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.HandshakeInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A TLS server that sends back what it receives: one loop, one context, no thread but the loop's. */
public final class TlsEchoServer implements AcceptHandler, HandshakeHandler, ConnectionHandler, AutoCloseable {
    private static final long HANDSHAKE_TIMEOUT_MILLIS = 5_000;
    private static final long QUEUED_BYTES_MAX = 256 * 1024;

    private final TlsContext context;
    private final EventLoop loop;
    private final SocketAddress address;

    /** Starts it on 127.0.0.1, on a port that the kernel chooses. */
    public TlsEchoServer(Path chain, Path key) {
        context = TlsContext.server()
                .certificate(chain, key)
                .alpn(List.of("echo"))
                .build();
        loop = EventLoops.start(EventLoopConfig.defaults().withName("echo"));
        // A loop's things are made and used on its own thread.
        address = CompletableFuture.supplyAsync(
                        () -> loop.listen(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                ListenerOptions.defaults(),
                                this),
                        loop)
                .join()
                .address();
    }

    /** Returns the listening address. */
    public SocketAddress address() {
        return address;
    }

    @Override
    public void onAccepted(TcpConnection tcp, SocketAddress peer) {
        tcp.startTls(DirectEngine.server(context, loop.loopCrypto()), HANDSHAKE_TIMEOUT_MILLIS, this);
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        connection.handler(this);
        connection.startReceiving();
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        connection.send(buffer); // the buffer changes owner: from the wire to the wire, nothing copied
        if (connection.queuedBytes() > QUEUED_BYTES_MAX) {
            connection.stopReceiving(); // the peer does not drain: neither do we
        }
    }

    @Override
    public void onSent(Connection connection) {
        if (connection.queuedBytes() <= QUEUED_BYTES_MAX / 2) {
            connection.startReceiving();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        connection.close(); // after what is queued
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        System.err.println(failure.reason().label() + ": " + failure.message());
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        System.err.println(failure.reason().label() + ": " + failure.message());
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        System.err.println(failure.reason().label() + ": " + failure.message());
    }

    @Override
    public void onClosed(Connection connection) {}

    @Override
    public void close() {
        loop.close();
        context.close();
    }
}
