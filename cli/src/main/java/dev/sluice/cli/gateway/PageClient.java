package dev.sluice.cli.gateway;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A client that fetches pages of an HTTPS server with our own TLS client, one connection each, and discards them. */
final class PageClient implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 10_000;

    private final EventLoop loop;
    private final TlsContext context;

    /** The session of the last page; used on the loop's thread while there is one. */
    private @Nullable TlsSession session;

    private PageClient(EventLoop loop, TlsContext context) {
        this.loop = loop;
        this.context = context;
    }

    /**
     * Creates a client with its own loop.
     *
     * @param trusted PEM file of the authority that the server's certificate for localhost leads to
     */
    static PageClient open(Path trusted, ProtocolVersion version) {
        EventLoop loop = EventLoops.start(EventLoopConfig.defaults().withName("warm-up client"));
        try {
            TlsContext context = TlsContext.client()
                    .trust(trusted)
                    .versions(version, version)
                    .alpn(List.of("http/1.1"))
                    .build();
            return new PageClient(loop, context);
        } catch (RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    /**
     * Fetches a page.
     *
     * @return bytes of the response, including its head
     * @throws IllegalStateException when it is not complete within {@value #TIMEOUT_MILLIS} ms
     */
    long fetch(InetSocketAddress server, String path) {
        return await(begin(server, path, false));
    }

    /**
     * Begins to fetch a page.
     *
     * @param resuming true to resume the session of the page before, if there is one
     * @return for {@link #await}
     */
    Future<Long> begin(InetSocketAddress server, String path, boolean resuming) {
        Fetch fetch = new Fetch(path, resuming);
        loop.execute(() -> loop.connect(server, TIMEOUT_MILLIS, fetch));
        return fetch.result;
    }

    /**
     * Waits for a page.
     *
     * @return bytes of the response, including its head
     * @throws IllegalStateException when it is not complete within {@value #TIMEOUT_MILLIS} ms from now
     */
    static long await(Future<Long> page) {
        // By a wait of this thread: a future's own timeout would start the thread that the process has for those.
        try {
            return page.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a page failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a page was not complete within " + TIMEOUT_MILLIS + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a page was fetched", e);
        }
    }

    @Override
    public void close() {
        loop.close();
        keep(null);
        context.close();
    }

    private void keep(@Nullable TlsSession made) {
        if (session != null) {
            session.close();
        }
        session = made;
    }

    /** One connection. Its callbacks run on the loop. */
    private final class Fetch implements ConnectHandler, HandshakeHandler, ConnectionHandler {
        private final CompletableFuture<Long> result = new CompletableFuture<>();
        private final byte[] request;
        private long received;
        private boolean complete;
        private final boolean resuming;
        private @Nullable MemoryEngine engine;

        Fetch(String path, boolean resuming) {
            this.resuming = resuming;
            this.request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public void onConnected(TcpConnection connection) {
            TlsSession last = resuming ? session : null;
            MemoryEngine made = last == null
                    ? MemoryEngine.client(context, "localhost")
                    : MemoryEngine.client(context, "localhost", last);
            engine = made;
            connection.startTls(made, TIMEOUT_MILLIS, this);
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            fail(failure);
        }

        @Override
        public void onHandshake(TlsConnection connection, HandshakeInfo info) {
            connection.handler(this);
            Slab slab = Objects.requireNonNull(connection.loop().buffers().lease());
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + request.length);
            RawMemory.copy(request, 0, slab.payloadAddress(), request.length);
            connection.send(slab);
            connection.startReceiving();
        }

        @Override
        public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
            fail(failure);
        }

        @Override
        public void onReceived(Connection connection, Slab buffer) {
            received += buffer.length();
            buffer.release();
        }

        @Override
        public void onEndOfStream(Connection connection) {
            complete = true;
            if (engine != null) {
                keep(engine.session());
            }
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
                result.complete(received);
            } else {
                result.completeExceptionally(new IllegalStateException("closed before the answer ended"));
            }
        }

        private void fail(ConnectionFailure failure) {
            result.completeExceptionally(new IllegalStateException(failure.message()));
        }
    }
}
