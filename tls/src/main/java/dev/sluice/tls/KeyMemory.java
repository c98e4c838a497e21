package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.record.ConnectionKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the secrets of a loop's connections lie: pieces of {@link ConnectionKeys#BYTES}, cut from chunks that are kept
 * until the loop ends, and used again.
 *
 * <p>One allocation for each connection would lie between what libssl allocates and frees for the handshakes around it,
 * and keep those pages from being used again, or given back, for as long as the connection lives.
 *
 * <pre>
 *   chunk   +--------+--------+--------+---
 *           | in use |  free  | in use | ...
 *           +--------+----|---+--------+---
 *                         └──▶ the next free piece, in the first 8 bytes; 0 for none
 * </pre>
 *
 * Confined to the loop's thread. A free piece holds no secret.
 */
final class KeyMemory implements AutoCloseable {
    private static final int PIECES_PER_CHUNK = 128;

    /** What is allocated at once. */
    static final int CHUNK_BYTES = PIECES_PER_CHUNK * ConnectionKeys.BYTES;

    private static final long NONE = 0;

    private final NativeAllocator allocator;
    private final Ledger.Account used = Ledger.process().account("connection keys");
    private final Ledger.Account unused = Ledger.process().account("connection keys, unused");
    private final List<MemorySegment> chunks = new ArrayList<>();
    private long firstFree = NONE;
    private int usedCount;

    /** Takes no memory yet. */
    KeyMemory(NativeAllocator allocator) {
        this.allocator = allocator;
    }

    /** A piece, made ready for a handshake; the caller's to {@link #giveBack}. Its address: a segment would cost heap. */
    long take(boolean server) {
        if (firstFree == NONE) {
            grow();
        }
        long keys = firstFree;
        firstFree = RawMemory.getLong(keys);
        usedCount++;
        unused.released(ConnectionKeys.BYTES);
        used.acquired(ConnectionKeys.BYTES);
        ConnectionKeys.begin(keys, server);
        return keys;
    }

    /** Wipes a piece. */
    void giveBack(long keys) {
        ConnectionKeys.wipe(keys);
        addFree(keys);
        usedCount--;
        used.released(ConnectionKeys.BYTES);
        unused.acquired(ConnectionKeys.BYTES);
    }

    private void addFree(long keys) {
        RawMemory.putLong(keys, firstFree);
        firstFree = keys;
    }

    private void grow() {
        MemorySegment chunk = allocator.allocate(CHUNK_BYTES, Long.BYTES);
        chunks.add(chunk);
        for (int i = PIECES_PER_CHUNK - 1; i >= 0; i--) {
            addFree(chunk.address() + (long) i * ConnectionKeys.BYTES);
            unused.acquired(ConnectionKeys.BYTES);
        }
    }

    /**
     * Gives all memory back.
     *
     * @throws IllegalStateException when connections still have keys, which are kept then
     */
    @Override
    public void close() {
        if (usedCount != 0) {
            throw new IllegalStateException("a loop's key memory closed while connections use it, connections="
                    + usedCount + "; close them first");
        }
        for (MemorySegment chunk : chunks) {
            for (int i = 0; i < PIECES_PER_CHUNK; i++) {
                unused.released(ConnectionKeys.BYTES);
            }
            allocator.free(chunk);
        }
        chunks.clear();
        firstFree = NONE;
    }
}
