package dev.sluice.transfer.channel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;

/**
 * A channel as {@link ByteChannel}: one copy between the caller's buffer and the batch. Each write is sent before it
 * returns. One thread may read while another one writes.
 */
final class ChannelBytes implements ByteChannel {
    private static final int END = -1;

    private final SecureChannel channel;
    private volatile boolean open = true;

    ChannelBytes(SecureChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        requireOpen();
        if (!to.hasRemaining()) {
            return 0;
        }
        IncomingBatch batch = channel.incoming();
        if (!batch.await()) {
            return END;
        }
        int total = Math.min(to.remaining(), batch.available());
        MemorySegment segment = MemorySegment.ofBuffer(to);
        batch.get(segment, 0, total);
        to.position(to.position() + total);
        return total;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        requireOpen();
        OutgoingBatch batch = channel.outgoing();
        MemorySegment segment = MemorySegment.ofBuffer(from);
        int total = from.remaining();
        int done = 0;
        while (done < total) {
            int now = Math.min(total - done, batch.room());
            batch.put(segment, done, now);
            channel.send();
            done += now;
        }
        from.position(from.limit());
        return total;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** Ends our stream in order, then closes the channel. */
    @Override
    public void close() throws IOException {
        if (open) {
            open = false;
            try {
                channel.finish();
            } finally {
                channel.close();
            }
        }
    }
}
