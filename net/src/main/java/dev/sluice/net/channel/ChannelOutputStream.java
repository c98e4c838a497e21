package dev.sluice.net.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The output of a channel as a stream. */
final class ChannelOutputStream extends OutputStream {
    private final TlsChannel channel;

    ChannelOutputStream(TlsChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        channel.write(ByteBuffer.wrap(source, offset, length));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
