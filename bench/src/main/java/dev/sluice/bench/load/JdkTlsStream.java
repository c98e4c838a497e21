package dev.sluice.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A TLS connection on an SSLEngine. Uses heap buffers: JSSE's AES-GCM would copy direct ones through the heap. */
final class JdkTlsStream extends JdkStream {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** The plaintext of the current record; shared, since one thread drives all streams. */
    private static final ByteBuffer PLAINTEXT = ByteBuffer.allocate(32 * 1024);

    private final JdkTls.Engine engine;
    private final SSLEngine ssl;
    private final ByteBuffer received;
    /** Always in read mode. */
    private final ByteBuffer outgoing;

    private final Queue<ByteBuffer> queue = new ArrayDeque<>();
    private boolean open;
    private boolean tellDrained;
    private boolean closing;

    JdkTlsStream(SocketChannel channel, SelectionKey key, JdkTls.Engine engine, Handler handler) {
        super(channel, key, handler);
        this.engine = engine;
        this.ssl = engine.ssl();
        this.received = ByteBuffer.allocate(ssl.getSession().getPacketBufferSize());
        this.outgoing =
                ByteBuffer.allocate(ssl.getSession().getPacketBufferSize()).limit(0);
    }

    @Override
    void onConnected() throws IOException {
        ssl.beginHandshake();
        pump();
    }

    @Override
    public void send(ByteBuffer payload) {
        queue.add(payload.duplicate());
        tellDrained = true;
        wantWritable(true);
    }

    @Override
    public void close() {
        closing = true;
        wantWritable(true);
    }

    @Override
    void onReadable() throws IOException {
        int count = channel.read(received);
        if (count < 0) {
            end();
            return;
        }
        boolean more = true;
        while (more && !isOver()) {
            more = takeRecords();
            pump();
        }
    }

    /** Processes the complete records received. Returns whether it stopped early to send something first. */
    private boolean takeRecords() throws IOException {
        received.flip();
        while (unwrap()) {
            // While complete records are available.
        }
        received.compact();
        return received.position() > 0 && ssl.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    }

    @Override
    void onWritable() throws IOException {
        pump();
    }

    /** Processes one record. Returns whether to continue. */
    private boolean unwrap() throws IOException {
        SSLEngineResult result = ssl.unwrap(received, PLAINTEXT.clear());
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            runTasks();
        }
        if (result.bytesProduced() > 0) {
            handler.onReceived(this, result.bytesProduced());
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            end();
        }
        return result.getStatus() == SSLEngineResult.Status.OK
                && ssl.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
                && !isOver()
                && received.hasRemaining();
    }

    /** Sends handshake messages, then queued data, then close_notify. */
    private void pump() throws IOException {
        while (!isOver() && flush()) {
            HandshakeStatus status = ssl.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (status == HandshakeStatus.NEED_WRAP) {
                wrap(NOTHING);
            } else if (status == HandshakeStatus.NOT_HANDSHAKING && !open) {
                open = true;
                handler.onOpen(this, engine.resumed());
            } else if (open && !queue.isEmpty()) {
                wrapQueued();
            } else if (closing && !ssl.isOutboundDone()) {
                ssl.closeOutbound();
            } else {
                settle();
                return;
            }
        }
    }

    private void wrapQueued() throws SSLException {
        ByteBuffer first = queue.element();
        wrap(first);
        if (!first.hasRemaining()) {
            queue.remove();
        }
    }

    /** Handles the completion of all sends. */
    private void settle() throws IOException {
        wantWritable(false);
        if (closing) {
            channel.shutdownOutput();
            closing = false;
        }
        if (tellDrained) {
            tellDrained = false;
            handler.onDrained(this);
        }
    }

    private void wrap(ByteBuffer source) throws SSLException {
        outgoing.clear();
        ssl.wrap(source, outgoing);
        outgoing.flip();
    }

    /** Returns whether everything was sent. */
    private boolean flush() throws IOException {
        if (outgoing.hasRemaining()) {
            channel.write(outgoing);
        }
        boolean empty = !outgoing.hasRemaining();
        if (!empty) {
            wantWritable(true);
        }
        return empty;
    }

    private void runTasks() {
        Runnable task;
        while ((task = ssl.getDelegatedTask()) != null) {
            task.run();
        }
    }
}
