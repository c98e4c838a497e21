package dev.sluice.memory;

import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool of fixed-size slabs that leases and releases without allocating.
 *
 * <p>The pool takes memory from a {@link NativeAllocator} in chunks as needed, up to {@link #maxSlabs()}, and frees it
 * on close. A pool is confined to one thread (an event loop) from its first use on; another thread may create it, and
 * may close it after that thread has ended.
 *
 * <p>With poisoning (system property {@value #POISON_PROPERTY}, on in tests) a released slab is filled with {@value
 * #POISON} and checked at its next lease, and so is a guard behind each slab, which is checked when the slab is
 * released. A write after release or past the end is then an error that names the slab. Released slabs and guards are
 * also {@linkplain NativeAllocator#forbid forbidden}: a checker of memory accesses reports those that read them.
 */
public final class SlabPool implements AutoCloseable {
    /** The system property that enables poisoning. */
    public static final String POISON_PROPERTY = "sluice.memory.poison";

    /** The byte that fills a released slab when poisoning is enabled. */
    public static final byte POISON = (byte) 0xDD;

    /** The bytes behind each slab that belong to nobody, when poisoning is enabled. */
    static final int GUARD_BYTES = 64;

    private static final long CHUNK_ALIGNMENT_BYTES = 4096;

    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final int slabBytes;
    private final int slabsPerChunk;
    private final int maxSlabs;
    private final boolean poison;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private final @Nullable Slab[] all;
    private final @Nullable Slab[] idle;

    /** The memory behind each slab, by its index; empty without poisoning. */
    private final @Nullable MemorySegment[] guards;

    private int madeCount;
    private int idleCount;
    private boolean closed;

    /**
     * Creates a pool; no memory is taken yet.
     *
     * @param account the account charged for the memory
     * @param slabBytes the size of each slab
     * @param slabsPerChunk number of slabs allocated at a time
     * @param maxSlabs the maximum number of slabs
     */
    public SlabPool(NativeAllocator allocator, Ledger.Account account, int slabBytes, int slabsPerChunk, int maxSlabs) {
        this(allocator, account, slabBytes, slabsPerChunk, maxSlabs, Boolean.getBoolean(POISON_PROPERTY));
    }

    SlabPool(
            NativeAllocator allocator,
            Ledger.Account account,
            int slabBytes,
            int slabsPerChunk,
            int maxSlabs,
            boolean poison) {
        if (slabBytes < 1 || slabsPerChunk < 1 || maxSlabs < slabsPerChunk) {
            throw new IllegalArgumentException(
                    "pool requires slabBytes >= 1 and 1 <= slabsPerChunk <= maxSlabs, slabBytes=" + slabBytes
                            + ", slabsPerChunk=" + slabsPerChunk + ", maxSlabs=" + maxSlabs);
        }
        this.allocator = allocator;
        this.account = account;
        this.slabBytes = slabBytes;
        this.slabsPerChunk = slabsPerChunk;
        this.maxSlabs = maxSlabs;
        this.poison = poison;
        this.all = new Slab[maxSlabs];
        this.idle = new Slab[maxSlabs];
        this.guards = new MemorySegment[poison ? maxSlabs : 0];
    }

    /** Returns the size of each slab in bytes. */
    public int slabBytes() {
        return slabBytes;
    }

    /** Returns the maximum number of slabs. */
    public int maxSlabs() {
        return maxSlabs;
    }

    /** Returns the number of leased slabs; a recent value when read by another thread. */
    public int leasedCount() {
        return madeCount - idleCount;
    }

    /** Returns the native bytes that the pool holds now, leased or idle. */
    public long heldBytes() {
        return chunks.size() * chunkBytes();
    }

    /**
     * Leases a slab with an empty window at 0. Its contents are undefined.
     *
     * @return the slab, or null when all {@link #maxSlabs()} are leased
     */
    public @Nullable Slab lease() {
        FaultPoint.POOL.reach();
        if (FaultPoint.POOL_EMPTY.fails()) {
            return null;
        }
        if (idleCount == 0 && !grow()) {
            return null;
        }
        Slab slab = idle[--idleCount];
        if (slab == null) {
            throw new IllegalStateException("corrupt pool: pool=" + account.owner() + ", idle=" + idleCount);
        }
        idle[idleCount] = null;
        if (poison) {
            allocator.permit(slab.address(), slabBytes);
            check(slab.segment(), slab, "slab written after its release");
        }
        slab.leased(true);
        return slab;
    }

    /**
     * Returns the slab with an index, leased or not.
     *
     * @throws IndexOutOfBoundsException when the slab does not exist yet
     */
    public Slab slab(int index) {
        Slab slab = index >= 0 && index < madeCount ? all[index] : null;
        if (slab == null) {
            throw new IndexOutOfBoundsException("no such slab: index=" + index + ", made=" + madeCount);
        }
        return slab;
    }

    void giveBack(Slab slab) {
        if (!slab.isLeased()) {
            throw new IllegalStateException("slab released twice: pool=" + account.owner() + ", index=" + slab.index());
        }
        slab.leased(false);
        if (poison) {
            withdraw(slab);
        }
        idle[idleCount++] = slab;
    }

    /**
     * Frees all memory.
     *
     * @throws IllegalStateException when slabs are still leased; the memory is kept, since their owners may write to it
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (leasedCount() != 0) {
            throw new IllegalStateException("pool closed with slabs leased: pool=" + account.owner() + ", leased="
                    + leasedCount() + "; release them first");
        }
        closed = true;
        for (MemorySegment chunk : chunks) {
            long bytes = chunk.byteSize();
            if (poison) {
                allocator.permit(chunk.address(), bytes);
            }
            allocator.free(chunk);
            account.released(bytes);
        }
        chunks.clear();
        madeCount = 0;
        idleCount = 0;
    }

    private boolean grow() {
        if (closed) {
            throw new IllegalStateException("lease from a closed pool: pool=" + account.owner());
        }
        int count = Math.min(slabsPerChunk, maxSlabs - madeCount);
        if (count == 0) {
            return false;
        }
        MemorySegment chunk = allocator.allocate(chunkBytes(), CHUNK_ALIGNMENT_BYTES);
        account.acquired(chunk.byteSize());
        chunks.add(chunk);
        if (poison) {
            chunk.fill(POISON);
            allocator.forbid(chunk.address(), chunk.byteSize());
        }
        divide(chunk, count);
        return true;
    }

    private void divide(MemorySegment chunk, int count) {
        for (int i = 0; i < count; i++) {
            long offset = i * strideBytes();
            Slab slab = new Slab(this, madeCount, chunk.asSlice(offset, slabBytes));
            if (poison) {
                guards[madeCount] = chunk.asSlice(offset + slabBytes, strideBytes() - slabBytes);
            }
            all[madeCount++] = slab;
            idle[idleCount++] = slab;
        }
    }

    private long chunkBytes() {
        return slabsPerChunk * strideBytes();
    }

    /** Returns the distance between slabs: a guard keeps them apart, and aligned to as much as itself. */
    private long strideBytes() {
        return poison ? (slabBytes + 2L * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES : slabBytes;
    }

    private void withdraw(Slab slab) {
        MemorySegment guard = guards[slab.index()];
        if (guard != null) {
            allocator.permit(guard.address(), guard.byteSize());
            check(guard, slab, "slab written past its end");
            allocator.forbid(guard.address(), guard.byteSize());
        }
        slab.segment().fill(POISON);
        allocator.forbid(slab.address(), slabBytes);
    }

    private void check(MemorySegment poisoned, Slab slab, String failure) {
        for (long i = 0; i < poisoned.byteSize(); i++) {
            if (poisoned.get(ValueLayout.JAVA_BYTE, i) != POISON) {
                long offset = poisoned.address() - slab.address() + i;
                throw new IllegalStateException(
                        failure + ": pool=" + account.owner() + ", index=" + slab.index() + ", offset=" + offset);
            }
        }
    }
}
