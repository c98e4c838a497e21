package dev.sluice.net.channel;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.net.peer.ConnectionFacts;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.TlsPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A blocking TLS channel whose handshake is complete. Made by {@code TlsClient.open}, and by a server for its {@link
 * ChannelHandler}.
 *
 * <p>A read waits for at least one byte. A write of up to 4 KiB is copied and follows by itself, as into a socket's
 * buffer; a longer one, and one that comes before the last copy has left, waits until all its bytes are queued on the
 * loop. Both park the calling thread meanwhile, without pinning a virtual one. The conventions are those of {@link
 * java.nio.channels}:
 *
 * <ul>
 *   <li>{@code read} returns -1 when the peer has sent close_notify. A stream that ends without it throws, with the
 *       reason {@code truncated}: what was read may be incomplete.
 *   <li>{@code close} by another thread makes a waiting one throw {@link
 *       java.nio.channels.AsynchronousCloseException}; an interrupt closes the channel and throws {@link
 *       java.nio.channels.ClosedByInterruptException}.
 *   <li>A broken connection throws {@link ConnectionFailedException} once what had arrived was read.
 * </ul>
 *
 * <p>Any thread may use it. Of several that read, or several that write, one does at a time. {@link #close} does not
 * wait: the loop sends what is queued and close_notify.
 */
public final class TlsChannel extends AbstractInterruptibleChannel
        implements ByteChannel, GatheringByteChannel, ScatteringByteChannel {
    private static final int DROPPED_BYTES = 4096;

    private final TlsPeer peer;
    private final ChannelBridge bridge;
    private final SocketAddress localAddress;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile long readDeadlineNanos;

    TlsChannel(TlsPeer peer, ChannelBridge bridge) {
        this.peer = peer;
        this.bridge = bridge;
        this.localAddress = peer.localAddress();
    }

    // --- facts ------------------------------------------------------------------------------------------------------

    /** Returns the result of the handshake. */
    public ConnectionFacts facts() {
        return peer.facts();
    }

    /** Returns our end's address. */
    public SocketAddress localAddress() {
        return localAddress;
    }

    /** Returns the peer's address. */
    public SocketAddress remoteAddress() {
        return peer.remoteAddress();
    }

    /**
     * Sets the time that a read may wait; zero, the default, for any time. A read that takes longer throws {@link
     * java.net.SocketTimeoutException}, and the channel stays usable.
     */
    public void readDeadline(Duration deadline) {
        if (deadline.isNegative()) {
            throw new IllegalArgumentException(
                    "readDeadline=" + deadline.toMillis() + " ms is negative; zero disables it");
        }
        readDeadlineNanos = deadline.toNanos();
    }

    // --- reading ----------------------------------------------------------------------------------------------------

    @Override
    public int read(ByteBuffer target) throws IOException {
        requireWritable(target);
        reading.lock();
        try {
            return readAny(target);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return read(targets, 0, targets.length);
    }

    /** Reads into buffers in their order: waits for the first byte, and adds what has arrived besides. */
    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        reading.lock();
        try {
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                ByteBuffer target = targets[i];
                requireWritable(target);
                while (target.hasRemaining()) {
                    if (total > 0 && bridge.available() == 0) {
                        return total;
                    }
                    int count = readAny(target);
                    if (count < 0) {
                        return total > 0 ? total : -1;
                    }
                    total += count;
                }
            }
            return total;
        } finally {
            reading.unlock();
        }
    }

    private int readAny(ByteBuffer target) throws IOException {
        requireOpen();
        if (!target.hasRemaining()) {
            return 0;
        }
        boolean completed = false;
        try {
            begin();
            int count = bridge.read(target, readDeadlineNanos);
            completed = true;
            return count;
        } finally {
            end(completed);
        }
    }

    private static void requireWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("read into a read-only buffer: " + target);
        }
    }

    /** Returns the number of bytes that can be read without waiting. */
    public int available() throws IOException {
        requireOpen();
        return bridge.available();
    }

    /** Returns a stream of what the peer sends. Its {@code close} closes the channel. */
    public InputStream inputStream() {
        return new ChannelInputStream(this);
    }

    // --- writing ----------------------------------------------------------------------------------------------------

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    /**
     * Writes all that the buffers hold, packed into as few records as possible.
     *
     * @throws ClosedChannelException after {@link #shutdownOutput()}, too
     */
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        writing.lock();
        try {
            requireOpen();
            boolean completed = false;
            try {
                begin();
                long count = bridge.write(sources, offset, length);
                completed = true;
                return count;
            } finally {
                end(completed);
            }
        } finally {
            writing.unlock();
        }
    }

    /** Returns a stream to the peer, without a buffer of its own. Its {@code close} closes the channel. */
    public OutputStream outputStream() {
        return new ChannelOutputStream(this);
    }

    // --- ending -----------------------------------------------------------------------------------------------------

    /** Ends our direction behind what is queued, by close_notify and FIN; reading continues. Idempotent. */
    public void shutdownOutput() throws IOException {
        writing.lock();
        try {
            requireOpen();
            bridge.shutdownOutput();
        } finally {
            writing.unlock();
        }
    }

    /**
     * Ends both directions in two steps, as the library tls-channel does: the first call sends close_notify, the second
     * waits for the peer's and drops what comes before it.
     *
     * @return true when both sides have sent close_notify
     */
    public boolean shutdown() throws IOException {
        boolean first = !shutdownSent();
        shutdownOutput();
        if (!first && !shutdownReceived()) {
            ByteBuffer dropped = ByteBuffer.allocate(DROPPED_BYTES);
            while (read(dropped) >= 0) {
                dropped.clear();
            }
        }
        return shutdownReceived();
    }

    /** Returns true when our close_notify was sent, or follows what is queued. */
    public boolean shutdownSent() {
        return bridge.isOutputShut();
    }

    /** Returns true when the peer has sent close_notify. */
    public boolean shutdownReceived() {
        return bridge.isInputEnded();
    }

    /** Resets the connection; what is queued is lost. Closes the channel. */
    public void abort() throws IOException {
        peer.abort();
        close();
    }

    @Override
    protected void implCloseChannel() {
        bridge.close();
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public String toString() {
        return "TLS channel with " + InetText.of(peer.remoteAddress()) + (isOpen() ? "" : ", closed");
    }
}
