package dev.sluice.bench.record.path;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.BufferedEngine;
import java.lang.foreign.MemorySegment;

/**
 * Two of Sluice's engines. The output of one is copied into the input of the other instead of a network, and the
 * payload between the caller's memory and the engine's, as {@code read} and {@code write} do.
 */
final class EnginePath implements RecordPath {
    private static final int SLOT_BYTES = 17 * 1024;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory = allocator.allocate((BATCH + 1) * SLOT_BYTES, Long.BYTES);
    private final long payload = memory.address();
    private final long records = payload + SLOT_BYTES;
    private final int[] lengths = new int[BATCH];
    private final int bytes;
    private final EngineFactory factory;
    private final EnginePair pair;
    private final BufferedEngine sender;
    private final BufferedEngine receiver;

    /**
     * Creates an instance.
     *
     * @param factory factory of the engines, closed by this path
     */
    EnginePath(EngineFactory factory, int bytes) {
        this.factory = factory;
        this.pair = factory.connect();
        this.sender = pair.client();
        this.receiver = pair.server();
        this.bytes = bytes;
    }

    @Override
    public int seal() {
        write();
        int sealed = 0;
        while (sender.sendLength() > 0) {
            int length = sender.sendLength();
            sender.sent(length);
            sealed += length;
        }
        return sealed;
    }

    @Override
    public void sealBatch() {
        for (int i = 0; i < BATCH; i++) {
            write();
            lengths[i] = take(records + (long) i * SLOT_BYTES);
        }
    }

    @Override
    public int openBatch() {
        int opened = 0;
        for (int i = 0; i < BATCH; i++) {
            receive(records + (long) i * SLOT_BYTES, lengths[i]);
            opened += read();
        }
        return opened;
    }

    @Override
    public int sealAndOpen() {
        write();
        while (sender.sendLength() > 0) {
            int length = sender.sendLength();
            receive(sender.sendAddress(), length);
            sender.sent(length);
        }
        return read();
    }

    /** Copies all output, which a ring may hold in two pieces. */
    private int take(long to) {
        int taken = 0;
        while (sender.sendLength() > 0) {
            int length = sender.sendLength();
            RawMemory.copy(sender.sendAddress(), to + taken, length);
            sender.sent(length);
            taken += length;
        }
        return taken;
    }

    private void write() {
        RecordPath.require(sender.write(payload, bytes) == bytes, "writing");
    }

    private void receive(long from, int length) {
        for (int moved = 0; moved < length; ) {
            int now = Math.min(length - moved, receiver.receiveCapacity());
            RawMemory.copy(from + moved, receiver.receiveAddress(), now);
            receiver.received(now);
            moved += now;
        }
    }

    private int read() {
        RecordPath.require(receiver.read(payload, bytes) == bytes, "reading");
        return bytes;
    }

    @Override
    public void close() {
        pair.close();
        factory.close();
        allocator.free(memory);
    }
}
