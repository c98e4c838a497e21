package dev.sluice.gateway.earlydata;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Early data that waits, in native memory of its own: buffers of the loop would be as many as the client sends records.
 * Confined to one thread.
 */
public final class HeldBytes implements AutoCloseable {
    private static final Ledger.Account ACCOUNT = Ledger.process().account("early data");
    private static final MallocAllocator ALLOCATOR = new MallocAllocator();

    private final MemorySegment memory;
    private int start;
    private int end;
    private boolean closed;

    /**
     * Takes memory.
     *
     * @param capacity how many bytes may wait
     */
    public HeldBytes(int capacity) {
        this.memory = ALLOCATOR.allocate(capacity, Long.BYTES);
        ACCOUNT.acquired(capacity);
    }

    /**
     * Takes bytes over by copying them.
     *
     * @throws IllegalStateException when there are more than there is room for, which libssl sees to
     */
    public void add(long from, int length) {
        requireRoom(length);
        RawMemory.copy(from, memory.address() + end, length);
        end += length;
    }

    /** The same, from an array. */
    void add(byte[] from, int index, int length) {
        requireRoom(length);
        RawMemory.copy(from, index, memory.address() + end, length);
        end += length;
    }

    private void requireRoom(int length) {
        if (length > memory.byteSize() - end) {
            throw new IllegalStateException(
                    "more early data than was allowed, capacity=" + memory.byteSize() + ", bytes=" + (end + length));
        }
    }

    private long address() {
        return memory.address() + start;
    }

    /** Returns the number of bytes held. */
    public int length() {
        return end - start;
    }

    /** The first ones have left. */
    public void consume(int count) {
        start += count;
    }

    /** Returns the length of the first request's head, searched from an offset; -1 when the head is not complete. */
    public int headLength(int from) {
        for (int i = from; i + SafeRequest.END.length <= length(); i++) {
            if (endsHead(address() + i)) {
                return i + SafeRequest.END.length;
            }
        }
        return -1;
    }

    private static boolean endsHead(long address) {
        for (int i = 0; i < SafeRequest.END.length; i++) {
            if (RawMemory.getByte(address + i) != SafeRequest.END[i]) {
                return false;
            }
        }
        return true;
    }

    /** The first of them as text, one character per byte. */
    public String text(int length) {
        return new String(bytes(length), StandardCharsets.ISO_8859_1);
    }

    /** A copy of them all. */
    public byte[] bytes() {
        return bytes(length());
    }

    private byte[] bytes(int length) {
        byte[] copy = new byte[length];
        RawMemory.copy(address(), copy, 0, length);
        return copy;
    }

    /** Wipes and frees the memory. Again without effect. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            memory.fill((byte) 0);
            ALLOCATOR.free(memory);
            ACCOUNT.released(memory.byteSize());
        }
    }
}
