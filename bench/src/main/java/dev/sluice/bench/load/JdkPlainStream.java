package dev.sluice.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/** A TCP connection without TLS. */
final class JdkPlainStream extends JdkStream {
    private static final ByteBuffer RECEIVED = ByteBuffer.allocateDirect(256 * 1024);

    private final Queue<ByteBuffer> queue = new ArrayDeque<>();

    JdkPlainStream(SocketChannel channel, SelectionKey key, Handler handler) {
        super(channel, key, handler);
    }

    @Override
    void onConnected() {
        handler.onOpen(this, false);
    }

    @Override
    public void send(ByteBuffer payload) {
        queue.add(payload.duplicate());
        wantWritable(true);
    }

    @Override
    public void close() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void onWritable() throws IOException {
        ByteBuffer first;
        while ((first = queue.peek()) != null) {
            channel.write(first);
            if (first.hasRemaining()) {
                return;
            }
            queue.remove();
        }
        wantWritable(false);
        handler.onDrained(this);
    }

    @Override
    void onReadable() throws IOException {
        int received = channel.read(RECEIVED.clear());
        if (received < 0) {
            end();
        } else {
            handler.onReceived(this, received);
        }
    }
}
