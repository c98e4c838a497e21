package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.tls.record.ConnectionKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the secrets of a loop's connections lie: pieces of {@link ConnectionKeys#BYTES}, cut from chunks that are kept
 * until the loop ends, and used again.
 *
 * <p>One allocation for each connection, or for a few of them, would lie between what libssl allocates and frees for the
 * handshakes around it, and keep those pages from being used again, or given back, for as long as the connections live.
 *
 * <pre>
 *   chunk   +--------+--------+--------+-----------------------
 *           | in use |  free  | in use | fresh: never touched
 *           +--------+----|---+--------+-----------------------
 *                         └──▶ the next free piece, in the first 8 bytes; 0 for none
 * </pre>
 *
 * Confined to the loop's thread. A free piece holds no secret.
 */
final class KeyMemory implements AutoCloseable {
    /** What is allocated at once; memory that nothing was put into yet costs no more than its addresses. */
    static final int CHUNK_BYTES = 256 * 1024;

    private static final int PIECES_PER_CHUNK = CHUNK_BYTES / ConnectionKeys.BYTES;

    private static final long NONE = 0;

    private final NativeAllocator pages;
    private final Ledger.Account used = Ledger.process().account("connection keys");
    private final Ledger.Account unused = Ledger.process().account(DirectPath.UNUSED_KEYS);
    private final List<MemorySegment> chunks = new ArrayList<>();
    private long firstFree = NONE;
    private long firstFresh;
    private int freshCount;
    private int usedCount;

    /** Takes no memory yet; {@code pages} is asked for whole chunks. */
    KeyMemory(NativeAllocator pages) {
        this.pages = pages;
    }

    /** A piece, made ready for a handshake; the caller's to {@link #giveBack}. Its address: a segment would cost heap. */
    long take(boolean server) {
        FaultPoint.POOL.reach();
        long keys = firstFree == NONE ? takeFresh() : takeFree();
        usedCount++;
        unused.released(ConnectionKeys.BYTES);
        used.acquired(ConnectionKeys.BYTES);
        ConnectionKeys.begin(keys, server);
        return keys;
    }

    private long takeFree() {
        long keys = firstFree;
        firstFree = RawMemory.getLong(keys);
        return keys;
    }

    private long takeFresh() {
        if (freshCount == 0) {
            grow();
        }
        long keys = firstFresh;
        firstFresh += ConnectionKeys.BYTES;
        freshCount--;
        return keys;
    }

    /** Wipes a piece. */
    void giveBack(long keys) {
        ConnectionKeys.wipe(keys);
        RawMemory.putLong(keys, firstFree);
        firstFree = keys;
        usedCount--;
        used.released(ConnectionKeys.BYTES);
        unused.acquired(ConnectionKeys.BYTES);
    }

    private void grow() {
        MemorySegment chunk = pages.allocate(CHUNK_BYTES, Long.BYTES);
        chunks.add(chunk);
        firstFresh = chunk.address();
        freshCount = PIECES_PER_CHUNK;
        for (int i = 0; i < PIECES_PER_CHUNK; i++) {
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
            pages.free(chunk);
        }
        chunks.clear();
        firstFree = NONE;
        freshCount = 0;
    }
}
