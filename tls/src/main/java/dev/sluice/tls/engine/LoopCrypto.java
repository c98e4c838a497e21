package dev.sluice.tls.engine;

import dev.sluice.ffi.openssl.KeyLog;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.tls.lean.FallbackReason;
import dev.sluice.tls.lean.LeanResources;
import dev.sluice.tls.record.ConnectionKeys;
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
 * The record resources that an event loop's {@link DirectEngine}s share: AEAD contexts, the key schedule, key memory,
 * and the buffers that connections lease for bytes in transit. Confined to the loop's thread.
 */
public final class LoopCrypto implements AutoCloseable {
    /** The smallest buffer: one TLS 1.2 record of the maximum length. */
    public static final int MIN_BUFFER_BYTES = RecordProtector.HEADER_BYTES + RecordProtector.MAX_CIPHERTEXT_BYTES_12;

    /** The ledger account of key memory allocated ahead of use. */
    public static final String UNUSED_KEYS = "connection keys, unused";

    private static final int SLABS_PER_CHUNK = 16;

    /** One per direction. */
    private static final int BUFFERS_OF_ONE_CONNECTION = 2;

    private final RecordResources resources;
    private final NativeAllocator allocator;
    private final KeyMemory keys;
    private final KeyOwnership ownership;
    private final SlabPool buffers;
    private final Map<Detach, LongAdder> detaches;
    private final Map<FallbackReason, LongAdder> fallbacks;
    private final LongAdder leanFlights;

    /** Created with the first lean handshake. */
    private @Nullable LeanResources lean;

    /** The ownership of the key memory, which decides whether it is closed with these resources. */
    private enum KeyOwnership {
        OWNED,
        SHARED
    }

    /**
     * Creates the resources of a loop.
     *
     * @param bufferBytes the size of each buffer, when least {@link #MIN_BUFFER_BYTES}; if smaller than the contexts'
     *     rings, connections with more bytes in transit stay in libssl
     * @param maxBuffers maximum number of leased buffers; an idle connection leases none
     */
    public LoopCrypto(NativeAllocator allocator, int bufferBytes, int maxBuffers) {
        this(allocator, allocator, bufferBytes, maxBuffers);
    }

    /**
     * Creates the resources of a loop with two sources of memory.
     *
     * @param allocator for small allocations
     * @param pages for chunks of 256 KiB, which hold keys and buffers of many connections until the close
     */
    public LoopCrypto(NativeAllocator allocator, NativeAllocator pages, int bufferBytes, int maxBuffers) {
        this(allocator, pages, bufferBytes, maxBuffers, ConnectionKeys.Layout.RECORDS);
    }

    /**
     * Creates the resources that connections without a loop share, each by {@link #ofOneConnection()}. They can export
     * keying material.
     */
    public static LoopCrypto shared(NativeAllocator allocator) {
        return new LoopCrypto(
                allocator,
                allocator,
                MIN_BUFFER_BYTES,
                BUFFERS_OF_ONE_CONNECTION,
                ConnectionKeys.Layout.RECORDS_AND_EXPORTER);
    }

    private LoopCrypto(
            NativeAllocator allocator,
            NativeAllocator pages,
            int bufferBytes,
            int maxBuffers,
            ConnectionKeys.Layout layout) {
        if (bufferBytes < MIN_BUFFER_BYTES) {
            throw new IllegalArgumentException("a buffer must hold the largest record, bufferBytes=" + bufferBytes
                    + "; use at least " + MIN_BUFFER_BYTES);
        }
        KeyLog.sink(new KeyLogParser());
        this.detaches = new EnumMap<>(Detach.class);
        for (Detach outcome : Detach.values()) {
            detaches.put(outcome, new LongAdder());
        }
        this.leanFlights = new LongAdder();
        this.fallbacks = new EnumMap<>(FallbackReason.class);
        for (FallbackReason reason : FallbackReason.values()) {
            fallbacks.put(reason, new LongAdder());
        }
        this.allocator = allocator;
        this.resources = new RecordResources(allocator);
        this.keys = new KeyMemory(pages, layout);
        this.ownership = KeyOwnership.OWNED;
        this.buffers = new SlabPool(
                pages,
                Ledger.process().account("record buffers"),
                bufferBytes,
                Math.min(SLABS_PER_CHUNK, maxBuffers),
                maxBuffers);
    }

    private LoopCrypto(LoopCrypto shared) {
        this.allocator = shared.allocator;
        this.detaches = shared.detaches;
        this.fallbacks = shared.fallbacks;
        this.leanFlights = shared.leanFlights;
        this.keys = shared.keys;
        this.ownership = KeyOwnership.SHARED;
        this.resources = new RecordResources(allocator);
        this.buffers = new SlabPool(
                allocator, Ledger.process().account("record buffers"), MIN_BUFFER_BYTES, 1, BUFFERS_OF_ONE_CONNECTION);
    }

    /**
     * Creates the resources of one connection that no loop owns, and that any thread may use, one at a time. They share
     * this instance's key memory, and are closed before it. May be called from any thread.
     */
    public LoopCrypto ofOneConnection() {
        return new LoopCrypto(this);
    }

    /** Returns how many connections came to this when their handshake was complete. May be called from any thread. */
    public long count(Detach outcome) {
        return Objects.requireNonNull(detaches.get(outcome)).sum();
    }

    /**
     * Returns how many connections of lean contexts were left to libssl for this reason. May be called from any thread.
     */
    public long count(FallbackReason reason) {
        return Objects.requireNonNull(fallbacks.get(reason)).sum();
    }

    /** Returns how many ClientHellos the lean handshake has answered. May be called from any thread. */
    public long leanFlights() {
        return leanFlights.sum();
    }

    void countedLeanFlight() {
        leanFlights.increment();
    }

    void counted(FallbackReason reason) {
        Objects.requireNonNull(fallbacks.get(reason)).increment();
    }

    /** Returns the resources of lean handshakes. */
    LeanResources lean() {
        LeanResources made = lean;
        if (made == null) {
            made = new LeanResources(resources, allocator);
            lean = made;
        }
        return made;
    }

    /** Returns the number of buffers leased by connections. */
    public int leasedBuffers() {
        return buffers.leasedCount();
    }

    void counted(Detach outcome) {
        Objects.requireNonNull(detaches.get(outcome)).increment();
    }

    /** Returns the meter of the loop's TLS; its values may be read from any thread. */
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

    /** Returns whether two buffers are free, the most that a detach needs: one per direction. */
    boolean hasBuffersToMove() {
        return buffers.maxSlabs() - buffers.leasedCount() >= 2;
    }

    /**
     * Leases a buffer; an exhausted pool is a failure of the environment, since its limit is far above the need of
     * connections.
     */
    Slab lease() {
        Slab slab = buffers.lease();
        if (slab == null) {
            throw new IllegalStateException("no record buffer left, maxBuffers=" + buffers.maxSlabs()
                    + "; raise the limit, or lower the number of busy connections");
        }
        return slab;
    }

    /** Leases a buffer; null when none is free. */
    @Nullable
    Slab tryLease() {
        return buffers.lease();
    }

    /**
     * Leases a buffer for sealing to a caller whose own buffers are all in use. Half of the buffers are reserved for
     * handshakes.
     *
     * @return null when none is available
     */
    public @Nullable Slab leaseSpare() {
        return buffers.leasedCount() < buffers.maxSlabs() / 2 ? buffers.lease() : null;
    }

    /** Frees all resources; the engines must be closed before. */
    @Override
    public void close() {
        buffers.close();
        if (lean != null) {
            lean.close();
            lean = null;
        }
        if (ownership == KeyOwnership.OWNED) {
            keys.close();
        }
        resources.close();
    }
}
