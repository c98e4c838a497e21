package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.IncomingBatch;
import dev.sluice.transfer.channel.OutgoingBatch;
import dev.sluice.transfer.channel.SecureChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connected java.net.Socket over a channel, for libraries that know nothing else. Like a socket, it sends with each
 * write: gRPC relies on that. Socket options have no effect: the limit for silence of the channel counts.
 *
 * <p>One thread may read while another one writes, and any thread may close.
 */
public final class ChannelStreamSocket extends Socket {
    private static final int END = -1;
    private static final int BYTE_MASK = 0xFF;

    private final SecureChannel channel;
    private final InetSocketAddress peer;
    private final InputStream input = new Incoming();
    private final OutputStream output = new Outgoing();
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        /** Our stream has ended. */
        OUTPUT_ENDED,
        CLOSED
    }

    /**
     * Creates a socket.
     *
     * @param channel owned from now on
     * @param peer the address to report
     */
    public ChannelStreamSocket(SecureChannel channel, InetSocketAddress peer) {
        this.channel = channel;
        this.peer = peer;
    }

    private void requireOpen() throws SocketException {
        if (state == State.CLOSED) {
            throw new SocketException("Socket closed");
        }
    }

    private final class Incoming extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == END ? END : one[0] & BYTE_MASK;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, to.length);
            reading.lock();
            try {
                requireOpen();
                IncomingBatch batch = channel.incoming();
                if (length == 0) {
                    return 0;
                }
                if (!batch.await()) {
                    return END;
                }
                int count = Math.min(length, batch.available());
                batch.get(to, offset, count);
                return count;
            } finally {
                reading.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            ChannelStreamSocket.this.close();
        }
    }

    private final class Outgoing extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, from.length);
            writing.lock();
            try {
                requireOpen();
                OutgoingBatch batch = channel.outgoing();
                MemorySegment source = MemorySegment.ofArray(from);
                int done = 0;
                while (done < length) {
                    int now = Math.min(length - done, batch.room());
                    batch.put(source, offset + done, now);
                    done += now;
                    channel.send();
                }
            } finally {
                writing.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            ChannelStreamSocket.this.close();
        }
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() {
        return output;
    }

    /** Ends our stream with close_notify. */
    @Override
    public void shutdownOutput() throws IOException {
        writing.lock();
        try {
            requireOpen();
            endOutput();
        } finally {
            writing.unlock();
        }
    }

    private void endOutput() throws ChannelException {
        if (state == State.OPEN) {
            state = State.OUTPUT_ENDED;
            channel.finish();
        }
    }

    /** Ends our stream in order if no thread writes, and closes the channel; other threads fail. Idempotent. */
    @Override
    public void close() throws IOException {
        if (writing.tryLock()) {
            try {
                endOutput();
            } catch (ChannelException e) {
                // The connection has failed; the abort follows.
            } finally {
                writing.unlock();
            }
        }
        closeNow();
    }

    private void closeNow() {
        channel.abort();
        writing.lock();
        reading.lock();
        try {
            state = State.CLOSED;
            channel.close();
        } finally {
            reading.unlock();
            writing.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return peer;
    }

    @Override
    public InetAddress getInetAddress() {
        return peer.getAddress();
    }

    @Override
    public int getPort() {
        return peer.getPort();
    }

    // The superclass would open a socket to answer these.

    @Override
    public SocketAddress getLocalSocketAddress() {
        return new InetSocketAddress(getLocalAddress(), 0);
    }

    @Override
    public InetAddress getLocalAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getLocalPort() {
        return 0;
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        // Records leave at once.
    }

    @Override
    public void setSoTimeout(int timeout) {
        // The channel has a limit for silence.
    }

    @Override
    public void setKeepAlive(boolean on) {
        // The channel keeps its connection alive.
    }
}
