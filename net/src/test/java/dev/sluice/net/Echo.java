package dev.sluice.net;

import dev.sluice.memory.Slab;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** An echo with back-pressure; it ends when the peer does. */
final class Echo implements AcceptHandler, ConnectionHandler {
    private final long maxQueuedBytes;
    final AtomicInteger accepted = new AtomicInteger();
    final AtomicInteger acceptFailures = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    volatile long mostQueuedBytes;

    Echo() {
        this(64 * 1024);
    }

    Echo(long maxQueuedBytes) {
        this.maxQueuedBytes = maxQueuedBytes;
    }

    @Override
    public void onAccepted(TcpConnection connection, SocketAddress peer) {
        accepted.incrementAndGet();
        connection.handler(this);
        connection.startReceiving();
    }

    @Override
    public void onAcceptFailed(ConnectionFailure failure) {
        acceptFailures.incrementAndGet();
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        connection.send(buffer);
        mostQueuedBytes = Math.max(mostQueuedBytes, connection.queuedBytes());
        if (connection.queuedBytes() > maxQueuedBytes) {
            connection.stopReceiving();
        }
    }

    @Override
    public void onSent(Connection connection) {
        if (connection.queuedBytes() <= maxQueuedBytes) {
            connection.startReceiving();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        ended.incrementAndGet();
        connection.shutdownOutput();
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        failed.incrementAndGet();
    }

    @Override
    public void onClosed(Connection connection) {
        closed.incrementAndGet();
    }
}
