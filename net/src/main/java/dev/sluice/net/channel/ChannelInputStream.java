package dev.sluice.net.channel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The input of a channel as a stream. */
final class ChannelInputStream extends InputStream {
    private final TlsChannel channel;

    ChannelInputStream(TlsChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return channel.read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int available() throws IOException {
        return channel.available();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
