package dev.sluice.bench.calls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One end of a TCP connection without encryption, with buffers off the heap. */
final class PlainEnd implements StreamEnd {
    private static final int CALL_BYTES = 256 * 1024;

    private final SocketChannel socket;
    private final Payload payload;
    private final ByteBuffer outgoing;
    private final MemorySegment memory = Arena.global().allocate(CALL_BYTES);
    private final ByteBuffer incoming = memory.asByteBuffer();

    private PlainEnd(SocketChannel socket, Payload payload) throws IOException {
        this.socket = socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.payload = payload;
        this.outgoing = payload.bytes().asByteBuffer();
    }

    /** Connects to a port of this machine. */
    static StreamEnd connect(int port, Payload payload) throws IOException {
        return new PlainEnd(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)), payload);
    }

    /** Listens for one connection. */
    static CallServer listen(CallShape shape) throws IOException {
        ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new StreamServer(shape, listener.socket().getLocalPort(), () -> {
            try (listener) {
                return new PlainEnd(listener.accept(), Payload.of(shape));
            }
        });
    }

    @Override
    public void send(int length) throws IOException {
        int done = 0;
        while (done < length) {
            outgoing.limit(Math.min(length, done + CALL_BYTES)).position(done);
            done += socket.write(outgoing);
        }
    }

    @Override
    public boolean receive(int length) throws IOException {
        int done = 0;
        while (done < length) {
            incoming.clear().limit(Math.min(CALL_BYTES, length - done));
            int count = socket.read(incoming);
            if (count < 0) {
                return false;
            }
            payload.check(memory, 0, count, done);
            done += count;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
