package dev.sluice.bench.echo.server;

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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An echo server on a selector, as efficient as java.nio allows: one thread, one direct buffer for all connections,
 * which is free after every connection's turn, and allocation only for a peer that does not read.
 */
final class SelectorEcho implements RunningEcho {
    private static final int BACKLOG = 4096;
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Thread thread;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private volatile boolean closed;

    private SelectorEcho(Selector selector, ServerSocketChannel listener) {
        this.selector = selector;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("echo").unstarted(this::serve);
    }

    static SelectorEcho start() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        SelectorEcho echo = new SelectorEcho(selector, listener);
        echo.thread.start();
        return echo;
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public String describe() {
        return "java.nio of JDK " + Runtime.version();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }

    private void serve() {
        Consumer<SelectionKey> onReady = this::onReady;
        try {
            while (!closed) {
                selector.select(onReady);
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.isReadable()) {
                echo(key);
            } else {
                sendRest(key);
            }
        } catch (IOException e) {
            drop(key); // The load ends its connections with a reset.
        }
    }

    private void accept() throws IOException {
        SocketChannel channel;
        while ((channel = listener.accept()) != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    /**
     * Echoes the received bytes. A read that does not fill the buffer has emptied the socket, so a second read is
     * unnecessary.
     */
    private void echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        int received;
        do {
            buffer.clear();
            received = channel.read(buffer);
            if (received < 0) {
                drop(key);
                return;
            }
            buffer.flip();
            channel.write(buffer);
            if (buffer.hasRemaining()) {
                keepRest(key);
                return;
            }
        } while (received == BUFFER_BYTES);
    }

    private void keepRest(SelectionKey key) {
        key.attach(ByteBuffer.allocateDirect(buffer.remaining()).put(buffer).flip());
        key.interestOps(SelectionKey.OP_WRITE);
    }

    private static void sendRest(SelectionKey key) throws IOException {
        @Nullable ByteBuffer rest = (ByteBuffer) key.attachment();
        if (rest != null) {
            ((SocketChannel) key.channel()).write(rest);
        }
        if (rest == null || !rest.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private static void drop(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
