package dev.sluice.transfer.protocol;

import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;

/** A wire on which bytes have come, in pieces of a size, and which keeps what is sent. For one thread. */
final class FuzzedWire implements Wire {
    private static final int AREA_BYTES = 4_096;

    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory;
    private final long vector;
    private final long area;
    private final long input;
    private final int length;
    private final int pieceBytes;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private int next;

    /** Creates a wire; the bytes are copied. */
    FuzzedWire(byte[] bytes, int pieceBytes) {
        this.memory = allocator.allocate(IoVec.BYTES + AREA_BYTES + (long) bytes.length, Long.BYTES);
        this.vector = memory.address();
        this.area = vector + IoVec.BYTES;
        this.input = area + AREA_BYTES;
        this.length = bytes.length;
        this.pieceBytes = pieceBytes;
        RawMemory.copy(bytes, 0, input, bytes.length);
    }

    /** Returns what was sent. */
    byte[] sent() {
        return sent.toByteArray();
    }

    /** Returns the number of received bytes that were not taken. */
    int left() {
        return length - next;
    }

    @Override
    public int gather(int bytes) {
        int described = Math.min(bytes, AREA_BYTES);
        IoVec.write(vector, 0, area, described);
        return described;
    }

    @Override
    public long areas() {
        return vector;
    }

    @Override
    public int areaCount() {
        return 1;
    }

    @Override
    public void filled(int bytes) {
        byte[] copy = new byte[bytes];
        RawMemory.copy(area, copy, 0, bytes);
        sent.writeBytes(copy);
    }

    @Override
    public void separate() {
        // Pieces are of one size.
    }

    @Override
    public void flush() {
        // All is sent at once.
    }

    @Override
    public boolean hasPieces() {
        return next < length;
    }

    @Override
    public int scatter(int bytes) {
        int described = Math.min(Math.min(bytes, pieceBytes), length - next);
        IoVec.write(vector, 0, input + next, described);
        return described;
    }

    @Override
    public long pieces() {
        return vector;
    }

    @Override
    public int pieceCount() {
        return 1;
    }

    @Override
    public void taken(int bytes) {
        next += bytes;
    }

    @Override
    public void finish() {
        // Nobody waits.
    }

    @Override
    public void abort() {
        // Nobody waits.
    }

    @Override
    public void close() {
        allocator.free(memory);
    }
}
