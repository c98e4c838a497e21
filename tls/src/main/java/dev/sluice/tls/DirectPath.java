package dev.sluice.tls;

import dev.sluice.ffi.openssl.KeyLog;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.tls.record.CryptoMeter;
import dev.sluice.tls.record.KeyLogParser;
import dev.sluice.tls.record.RecordProtector;
import dev.sluice.tls.record.RecordResources;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link DirectEngine}s of one event loop share: AEAD contexts, the key schedule, the memory that their keys lie
 * in, and the buffers that connections lease while bytes are under way. Confined to the loop's thread.
 */
public final class DirectPath implements AutoCloseable {
    /** The smallest buffer: one record of TLS 1.2 as long as the protocol allows. */
    public static final int MIN_BUFFER_BYTES = RecordProtector.HEADER_BYTES + RecordProtector.MAX_CIPHERTEXT_BYTES_12;

    /** The ledger's account of memory for keys that no connection has, taken ahead in chunks. */
    public static final String UNUSED_KEYS = "connection keys, unused";

    private static final int SLABS_PER_CHUNK = 16;

    private final RecordResources resources;
    private final NativeAllocator allocator;
    private final KeyMemory keys;
    private final SlabPool buffers;
    private final Map<CutOver, LongAdder> cutOvers = new EnumMap<>(CutOver.class);

    /**
     * Makes a loop's path.
     *
     * @param bufferBytes the size of each buffer, at least {@link #MIN_BUFFER_BYTES}; with less than the ring of the
     *     contexts, connections that hold more at their cut stay with libssl
     * @param maxBuffers how many may be leased at once; a connection at rest leases none
     */
    public DirectPath(NativeAllocator allocator, int bufferBytes, int maxBuffers) {
        this(allocator, allocator, bufferBytes, maxBuffers);
    }

    /**
     * The same with memory from two sources.
     *
     * @param allocator for small pieces
     * @param pages for pieces of 256 KiB, which hold keys and buffers of many connections and stay until the path is closed
     */
    public DirectPath(NativeAllocator allocator, NativeAllocator pages, int bufferBytes, int maxBuffers) {
        if (bufferBytes < MIN_BUFFER_BYTES) {
            throw new IllegalArgumentException("a buffer must hold the largest record, bufferBytes=" + bufferBytes
                    + "; give at least " + MIN_BUFFER_BYTES);
        }
        KeyLog.sink(new KeyLogParser());
        for (CutOver outcome : CutOver.values()) {
            cutOvers.put(outcome, new LongAdder());
        }
        this.allocator = allocator;
        this.resources = new RecordResources(allocator);
        this.keys = new KeyMemory(pages);
        this.buffers = new SlabPool(
                pages,
                Ledger.process().account("record buffers"),
                bufferBytes,
                Math.min(SLABS_PER_CHUNK, maxBuffers),
                maxBuffers);
    }

    /** How many connections came to this when their handshake was complete. May be called from any thread. */
    public long count(CutOver outcome) {
        return Objects.requireNonNull(cutOvers.get(outcome)).sum();
    }

    /** Buffers that connections hold now. */
    public int leasedBuffers() {
        return buffers.leasedCount();
    }

    void counted(CutOver outcome) {
        Objects.requireNonNull(cutOvers.get(outcome)).increment();
    }

    /** What times the loop's TLS; its figures may be read from any thread. */
    public CryptoMeter meter() {
        return resources.meter();
    }

    RecordResources resources() {
        return resources;
    }

    NativeAllocator allocator() {
        return allocator;
    }

    KeyMemory keys() {
        return keys;
    }

    int bufferBytes() {
        return buffers.slabBytes();
    }

    /** Whether there are two: what leaves libssl takes one for each direction at most. */
    boolean hasBuffersToMove() {
        return buffers.maxSlabs() - buffers.leasedCount() >= 2;
    }

    /** A buffer; an exhausted pool is the environment's failure, since its limit is far above what connections need. */
    Slab lease() {
        Slab slab = buffers.lease();
        if (slab == null) {
            throw new IllegalStateException("no record buffer left, maxBuffers=" + buffers.maxSlabs()
                    + "; raise the limit, or lower the number of connections that are busy at once");
        }
        return slab;
    }

    /**
     * Leases a buffer to seal into to somebody whose own are all taken. Half of the buffers are kept for handshakes.
     *
     * @return null when there is none to spare
     */
    public @Nullable Slab leaseSpare() {
        return buffers.leasedCount() < buffers.maxSlabs() / 2 ? buffers.lease() : null;
    }

    /** Frees all; the engines must be closed before. */
    @Override
    public void close() {
        buffers.close();
        keys.close();
        resources.close();
    }
}
