package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.tls.record.ConnectionKeys;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory for the secrets of a loop's connections: {@link ConnectionKeys}, cut from chunks that are
 * kept until the loop ends, and reused.
 *
 * <p>Individual allocations would be interleaved with libssl's short-lived handshake memory and keep its pages from
 * being reused or returned as long as the connections live.
 *
 * <pre>
 *   chunk   +--------+--------+--------+-----------------------
 *           | in use |  free  | in use | fresh: never touched
 *           +--------+----|---+--------+-----------------------
 *                         └──▶ the next free piece, in the first 8 bytes; 0 for none
 * </pre>
 *
 * <p>Thread-safe, for connections that no loop owns; a loop takes the lock uncontended, once per connection. A free
 * block holds no secret, and is {@linkplain NativeAllocator#forbid forbidden} to all but this class.
 */
final class KeyMemory implements AutoCloseable {
    /** The allocation unit; untouched memory costs only address space. */
    static final int CHUNK_BYTES = 256 * 1024;

    private static final long NONE = 0;

    private final NativeAllocator pages;
    private final ConnectionKeys.Layout layout;
    private final int piecesPerChunk;
    private final Ledger.Account used = Ledger.process().account("connection keys");
    private final Ledger.Account unused = Ledger.process().account(LoopCrypto.UNUSED_KEYS);
    private final List<MemorySegment> chunks = new ArrayList<>();
    private long firstFree = NONE;
    private long firstFresh;
    private int freshCount;
    private int usedCount;

    /** Creates the memory without allocating; {@code pages} supplies whole chunks. */
    KeyMemory(NativeAllocator pages, ConnectionKeys.Layout layout) {
        this.pages = pages;
        this.layout = layout;
        this.piecesPerChunk = CHUNK_BYTES / layout.bytes();
    }

    /**
     * Leases a block, initialized for a handshake; {@link #giveBack} returns it. The result is an address, since a
     * segment would cost heap.
     */
    synchronized long take(boolean server) {
        FaultPoint.POOL.reach();
        long keys = firstFree == NONE ? takeFresh() : takeFree();
        pages.permit(keys, layout.bytes());
        usedCount++;
        unused.released(layout.bytes());
        used.acquired(layout.bytes());
        ConnectionKeys.begin(keys, server, layout);
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
        firstFresh += layout.bytes();
        freshCount--;
        return keys;
    }

    /** Wipes a block and makes it reusable. */
    synchronized void giveBack(long keys) {
        ConnectionKeys.wipe(keys, layout);
        RawMemory.putLong(keys, firstFree);
        pages.forbid(keys, layout.bytes());
        firstFree = keys;
        usedCount--;
        used.released(layout.bytes());
        unused.acquired(layout.bytes());
    }

    private void grow() {
        MemorySegment chunk = pages.allocate(CHUNK_BYTES, Long.BYTES);
        chunks.add(chunk);
        pages.forbid(chunk.address(), CHUNK_BYTES);
        firstFresh = chunk.address();
        freshCount = piecesPerChunk;
        for (int i = 0; i < piecesPerChunk; i++) {
            unused.acquired(layout.bytes());
        }
    }

    /**
     * Frees all memory.
     *
     * @throws IllegalStateException when connections still hold keys, which are kept
     */
    @Override
    public synchronized void close() {
        if (usedCount != 0) {
            throw new IllegalStateException(
                    "key memory closed while in use, connections=" + usedCount + "; close them first");
        }
        for (MemorySegment chunk : chunks) {
            for (int i = 0; i < piecesPerChunk; i++) {
                unused.released(layout.bytes());
            }
            pages.permit(chunk.address(), CHUNK_BYTES);
            pages.free(chunk);
        }
        chunks.clear();
        firstFree = NONE;
        freshCount = 0;
    }
}
