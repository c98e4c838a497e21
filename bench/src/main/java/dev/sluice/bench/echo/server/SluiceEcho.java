package dev.sluice.bench.echo.server;

import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.loop.EventLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;

/** An echo server on Sluice's event loop: a buffer is sent back in place. */
final class SluiceEcho implements RunningEcho {
    private final EventLoop loop;
    private final int port;

    private SluiceEcho(EventLoop loop, int port) {
        this.loop = loop;
        this.port = port;
    }

    /**
     * Creates a server on a transport.
     *
     * @throws dev.sluice.net.BackendUnavailableException when the backend cannot run here, with the cause
     */
    static SluiceEcho on(EventLoop.Backend backend) {
        EventLoop loop =
                EventLoops.start(EventLoopConfig.defaults().withName("echo").withBackend(backend));
        Echo echo = new Echo();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Listener listener = CompletableFuture.supplyAsync(
                        () -> loop.listen(any, ListenerOptions.defaults(), echo), loop)
                .join();
        return new SluiceEcho(loop, ((InetSocketAddress) listener.address()).getPort());
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String describe() {
        return loop.backendReason();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The stateless handler of all connections. */
    private static final class Echo implements AcceptHandler, ConnectionHandler {
        /** The queued bytes from which a connection is no longer received from. */
        private static final long QUEUED_BYTES_MAX = 256 * 1024;

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            connection.handler(this);
            connection.startReceiving();
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            System.err.println(failure.message());
        }

        @Override
        public void onReceived(Connection connection, Slab buffer) {
            connection.send(buffer);
            if (connection.queuedBytes() > QUEUED_BYTES_MAX) {
                connection.stopReceiving();
            }
        }

        @Override
        public void onSent(Connection connection) {
            if (connection.queuedBytes() <= QUEUED_BYTES_MAX) {
                connection.startReceiving();
            }
        }

        @Override
        public void onEndOfStream(Connection connection) {
            connection.shutdownOutput();
        }

        /** Ignores a failure: the load ends its connections with a reset. */
        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {}

        @Override
        public void onClosed(Connection connection) {}
    }
}
