package dev.sluice.transfer.protocol;

import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.IncomingBatch;
import dev.sluice.transfer.channel.OutgoingBatch;
import dev.sluice.transfer.channel.SecureChannel;
import java.io.IOException;

/** A wire over a secure channel, which it owns. */
public final class ChannelWire implements Wire {
    /**
     * The settings of channels for transfers. A target that idles, or writes to its device, sends PING meanwhile. A
     * batch has room for a chunk with its header and its trailer in records of their own.
     */
    public static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT
            .withSilenceLimit(ProtocolLimits.SILENCE_LIMIT)
            .withRecords(ProtocolLimits.CHUNK_BYTES / OutgoingBatch.RECORD_BYTES + 2);

    private final SecureChannel channel;
    private final OutgoingBatch out;
    private final IncomingBatch in;

    /** Takes over a channel. */
    public ChannelWire(SecureChannel channel) {
        this.channel = channel;
        this.out = channel.outgoing();
        this.in = channel.incoming();
    }

    @Override
    public int gather(int bytes) throws IOException {
        if (out.room() == 0) {
            channel.send();
        }
        return out.gather(bytes);
    }

    @Override
    public long areas() {
        return out.iovecAddress();
    }

    @Override
    public int areaCount() {
        return out.iovecCount();
    }

    @Override
    public void filled(int bytes) {
        out.filled(bytes);
    }

    @Override
    public void separate() {
        out.endRecord();
    }

    @Override
    public void flush() throws IOException {
        if (out.position() > 0) {
            channel.send();
        }
    }

    @Override
    public boolean hasPieces() {
        return in.available() > 0;
    }

    @Override
    public int scatter(int bytes) throws IOException {
        return in.await() ? in.scatter(bytes) : 0;
    }

    @Override
    public long pieces() {
        return in.iovecAddress();
    }

    @Override
    public int pieceCount() {
        return in.iovecCount();
    }

    @Override
    public void taken(int bytes) {
        in.taken(bytes);
    }

    @Override
    public void finish() throws IOException {
        flush();
        channel.finish();
    }

    @Override
    public void abort() {
        channel.abort();
    }

    @Override
    public void close() {
        channel.close();
    }
}
