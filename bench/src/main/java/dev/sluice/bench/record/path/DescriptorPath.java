package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.tls.engine.DescriptorEngine;
import dev.sluice.tls.engine.EngineStatus;
import java.lang.foreign.MemorySegment;

/**
 * Two of Sluice's engines on the ends of a loopback connection: libssl seals a record into write(2), and opens what
 * read(2) gives it, so that each operation includes the kernel's part.
 */
final class DescriptorPath implements RecordPath {
    private static final int PAYLOAD_BYTES = 16 * 1024;

    /** Calls that may find nothing before the connection counts as broken: loopback delivers within a few. */
    private static final int MAX_POLLS = 1_000_000;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate(2 * PAYLOAD_BYTES, Long.BYTES);
    private final long payload = memory.address();
    private final long opened = payload + PAYLOAD_BYTES;
    private final TlsContexts contexts;
    private final LoopbackSockets sockets;
    private final DescriptorEngine sender;
    private final DescriptorEngine receiver;
    private final int bytes;

    private DescriptorPath(TlsContexts contexts, LoopbackSockets sockets, int bytes) {
        this.contexts = contexts;
        this.sockets = sockets;
        this.bytes = bytes;
        this.sender = DescriptorEngine.client(contexts.client(), TlsContexts.HOST, sockets.near());
        this.receiver = DescriptorEngine.server(contexts.server(), sockets.far());
    }

    /** Connects. The path closes the contexts. */
    static DescriptorPath open(TlsContexts contexts, int bytes) {
        DescriptorPath path = new DescriptorPath(contexts, new LoopbackSockets(), bytes);
        path.connect();
        return path;
    }

    private void connect() {
        boolean done = false;
        for (int i = 0; i < MAX_POLLS && !done; i++) {
            int near = sender.handshake();
            done = receiver.handshake() == EngineStatus.DONE && near == EngineStatus.DONE;
        }
        RecordPath.require(done, "the handshake");
        RecordPath.require(sender.read(opened, 1) == EngineStatus.WANT_READ, "reading the tickets");
    }

    @Override
    public int seal() {
        int written = sender.write(payload, bytes);
        for (int i = 0; i < MAX_POLLS && written == EngineStatus.WANT_WRITE; i++) {
            sockets.discardReceived(); // the buffers are full
            written = sender.write(payload, bytes);
        }
        RecordPath.require(written == bytes, "writing");
        return written;
    }

    @Override
    public void sealBatch() {
        for (int i = 0; i < BATCH; i++) {
            write();
        }
    }

    @Override
    public int openBatch() {
        int count = 0;
        for (int i = 0; i < BATCH; i++) {
            count += read();
        }
        return count;
    }

    @Override
    public int sealAndOpen() {
        write();
        return read();
    }

    private void write() {
        RecordPath.require(sender.write(payload, bytes) == bytes, "writing what the socket's buffers hold");
    }

    private int read() {
        int count = receiver.read(opened, bytes);
        for (int i = 0; i < MAX_POLLS && count == EngineStatus.WANT_READ; i++) {
            count = receiver.read(opened, bytes);
        }
        RecordPath.require(count == bytes, "reading");
        return count;
    }

    @Override
    public void close() {
        sender.close();
        receiver.close();
        sockets.close();
        contexts.close();
        allocator.free(memory);
    }
}
