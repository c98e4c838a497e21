package dev.sluice.bench.claims;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.MemoryEngine;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** TLS over a blocking socket, as in scripts: libssl with a ring in memory each way. Owns engine and socket. */
final class BlockingTls implements AutoCloseable {
    private final MemoryEngine engine;
    private final SocketChannel channel;

    BlockingTls(MemoryEngine engine, SocketChannel channel) {
        this.engine = engine;
        this.channel = channel;
    }

    MemoryEngine engine() {
        return engine;
    }

    /** Completes the handshake at this end. */
    void handshake() throws IOException {
        int status = engine.handshake();
        flush();
        while (status != EngineStatus.DONE) {
            require(status);
            receive();
            status = engine.handshake();
            flush();
        }
    }

    /** Reads at least one byte; returns 0 at the end of the stream. */
    int read(long address, int capacity) throws IOException {
        int count = engine.read(address, capacity);
        while (count == EngineStatus.WANT_READ) {
            receive();
            count = engine.read(address, capacity);
            flush();
        }
        if (count == EngineStatus.CLOSED) {
            return 0;
        }
        require(count);
        return count;
    }

    /** Writes all bytes. */
    void write(long address, int length) throws IOException {
        int written = 0;
        while (written < length) {
            int count = engine.write(address + written, length - written);
            flush();
            if (count != EngineStatus.WANT_WRITE) {
                require(count);
                written += count;
            }
        }
    }

    private void receive() throws IOException {
        int capacity = engine.receiveCapacity();
        ByteBuffer ring = RawMemory.view(engine.receiveAddress(), capacity).asByteBuffer();
        int count = channel.read(ring);
        if (count < 0) {
            throw new EOFException("the peer ended the connection");
        }
        engine.received(count);
    }

    private void flush() throws IOException {
        for (int length = engine.sendLength(); length > 0; length = engine.sendLength()) {
            ByteBuffer ring = RawMemory.view(engine.sendAddress(), length).asByteBuffer();
            engine.sent(channel.write(ring));
        }
    }

    private void require(int status) throws IOException {
        if (status == EngineStatus.FAILED || status == EngineStatus.CLOSED) {
            throw new IOException("TLS failed: " + engine.failure());
        }
    }

    /** Sends close_notify and closes. */
    @Override
    public void close() throws IOException {
        try (channel) {
            engine.closeOutput();
            flush();
        } finally {
            engine.close();
        }
    }
}
