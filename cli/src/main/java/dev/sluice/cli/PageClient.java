package dev.sluice.cli;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.EventLoops;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.HandshakeInfo;
import dev.sluice.tls.MemoryEngine;
import dev.sluice.tls.TlsContext;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Fetches the page of one HTTPS server with our own TLS client. Its callbacks run on the loop that it makes. */
final class PageClient implements ConnectHandler, HandshakeHandler, ConnectionHandler {
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final TlsContext context;
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    private final CompletableFuture<String> result = new CompletableFuture<>();

    private boolean complete;

    private PageClient(TlsContext context) {
        this.context = context;
    }

    /**
     * Fetches the page, and the response's head with it.
     *
     * @param trusted PEM file of the authority that the server's certificate for localhost leads to
     */
    static String fetch(InetSocketAddress server, Path trusted)
            throws InterruptedException, ExecutionException, TimeoutException {
        try (EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withName("client"));
                TlsContext context = TlsContext.client()
                        .trust(trusted)
                        .alpn(List.of("http/1.1"))
                        .build()) {
            PageClient client = new PageClient(context);
            loop.execute(() -> loop.connect(server, TIMEOUT_MILLIS, client));
            return client.result.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void onConnected(TcpConnection connection) {
        TlsConnection.start(connection, MemoryEngine.client(context, "localhost"), TIMEOUT_MILLIS, this);
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        fail(failure);
    }

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        connection.handler(this);
        Slab slab = Objects.requireNonNull(connection.loop().buffers().lease());
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + REQUEST.length);
        RawMemory.copy(REQUEST, 0, slab.payloadAddress(), REQUEST.length);
        connection.send(slab);
        connection.startReceiving();
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        fail(failure);
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        byte[] bytes = new byte[buffer.length()];
        RawMemory.copy(buffer.payloadAddress(), bytes, 0, bytes.length);
        answer.writeBytes(bytes);
        buffer.release();
    }

    @Override
    public void onEndOfStream(Connection connection) {
        complete = true;
        connection.close();
    }

    @Override
    public void onSent(Connection connection) {}

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        fail(failure);
    }

    @Override
    public void onClosed(Connection connection) {
        if (complete) {
            result.complete(answer.toString(StandardCharsets.UTF_8));
        } else {
            result.completeExceptionally(new IllegalStateException("closed before the answer ended"));
        }
    }

    private void fail(ConnectionFailure failure) {
        result.completeExceptionally(new IllegalStateException(failure.message()));
    }
}
