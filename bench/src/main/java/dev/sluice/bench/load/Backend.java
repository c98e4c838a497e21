package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The plain TCP server behind the servers under test: a source, a sink or an echo, as requested by each connection's
 * first bytes ({@link BackendProtocol}). One thread.
 */
final class Backend implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final int SCRATCH_BYTES = 256 * 1024;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Thread thread;
    /** The buffer of sources, sinks and echoes; shared, since one thread serves all. */
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);

    private volatile boolean closed;

    private Backend(Selector selector, ServerSocketChannel listener) {
        this.selector = selector;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("backend").unstarted(this::serve);
    }

    /** Starts the server on a free port of 127.0.0.1. */
    static Backend start() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Backend backend = new Backend(selector, listener);
        backend.thread.start();
        return backend;
    }

    /** Returns the port on 127.0.0.1. */
    int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            listener.close();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try {
            while (!closed) {
                selector.select(this::onReady);
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            throw new BenchException("the backend's selector failed: " + e.getMessage(), e);
        }
    }

    private void onReady(SelectionKey key) {
        if (key.attachment() instanceof Peer peer) {
            peer.onReady();
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel;
            while ((channel = listener.accept()) != null) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                key.attach(new Peer(channel, key));
            }
        } catch (IOException e) {
            throw new BenchException(
                    "the backend cannot accept: " + e.getMessage() + "; raise the limit of open files (ulimit -n)", e);
        }
    }

    /** One connection. */
    private final class Peer {
        private final SocketChannel channel;
        private final SelectionKey key;
        private final ByteBuffer header = ByteBuffer.allocate(BackendProtocol.HEADER_BYTES);
        /** The bytes left to send or to consume. */
        private long remaining;
        /** The echo's unsent bytes. */
        private @Nullable ByteBuffer unsent;

        Peer(SocketChannel channel, SelectionKey key) {
            this.channel = channel;
            this.key = key;
        }

        void onReady() {
            try {
                if (key.isWritable()) {
                    onWritable();
                } else {
                    onReadable();
                }
            } catch (IOException e) {
                close(); // Some servers end connections with a reset; the client reports whether that mattered.
            }
        }

        private void onReadable() throws IOException {
            if (header.hasRemaining() && !readHeader()) {
                return;
            }
            scratch.clear();
            int received = channel.read(scratch);
            if (received < 0) {
                close();
            } else if (received > 0) {
                take(received);
            }
        }

        private boolean readHeader() throws IOException {
            if (channel.read(header) < 0) {
                close();
                return false;
            }
            if (header.hasRemaining()) {
                return false;
            }
            remaining = header.getLong(1);
            if (header.get(0) == BackendProtocol.SOURCE) {
                pour();
            }
            return true;
        }

        private void take(int received) throws IOException {
            switch (header.get(0)) {
                case BackendProtocol.ECHO -> echo(scratch.flip());
                case BackendProtocol.SINK -> swallow(received);
                default -> {} // A source ignores its input.
            }
        }

        private void swallow(int received) throws IOException {
            remaining -= received;
            if (remaining == 0) {
                channel.write(ByteBuffer.allocate(1));
                header.clear(); // done: the connection may send another request
            }
        }

        private void echo(ByteBuffer bytes) throws IOException {
            channel.write(bytes);
            if (bytes.hasRemaining()) {
                unsent = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
                key.interestOps(SelectionKey.OP_WRITE);
            }
        }

        private void onWritable() throws IOException {
            ByteBuffer rest = unsent;
            if (rest == null) {
                pour();
                return;
            }
            channel.write(rest);
            if (!rest.hasRemaining()) {
                unsent = null;
                key.interestOps(SelectionKey.OP_READ);
            }
        }

        private void pour() throws IOException {
            scratch.clear().limit((int) Math.min(scratch.capacity(), remaining));
            remaining -= channel.write(scratch);
            if (remaining == 0) {
                header.clear(); // done: the connection may send another request
            }
            key.interestOps(remaining > 0 ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
