package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The socket alone: the same system calls without encryption. */
final class PlainPipe implements Pipe {
    private final ByteBuffer block;
    private final Wire.Connected<SocketChannel> sockets;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(CALL_BYTES);
    private final ByteBuffer buffer = memory.asByteBuffer();

    PlainPipe(Wire wire, MemorySegment block) throws IOException {
        this.block = block.asByteBuffer();
        this.sockets = wire.socketChannels();
    }

    @Override
    public void send() throws IOException {
        int done = 0;
        while (done < block.capacity()) {
            block.limit(Math.min(block.capacity(), done + CALL_BYTES)).position(done);
            done += sockets.sender().write(block);
        }
    }

    @Override
    public void receive(BlockCheck check) throws IOException {
        int count = sockets.receiver().read(buffer.clear());
        if (count < 0) {
            throw new BenchException("the sender has ended the connection");
        }
        check.accept(memory, 0, count);
    }

    @Override
    public void close() throws IOException {
        sockets.sender().close();
        sockets.receiver().close();
        arena.close();
    }
}
