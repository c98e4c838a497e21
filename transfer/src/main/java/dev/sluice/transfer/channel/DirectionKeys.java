package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordResources;
import dev.sluice.tls.record.TrafficKeys;
import java.lang.foreign.MemorySegment;

/**
 * The record protection of one direction: its keys, which the other direction's thread cannot reach, and its own cipher
 * contexts. Confined to the thread that has the direction's {@link Claim}.
 */
final class DirectionKeys implements AutoCloseable {
    private final NativeAllocator allocator;
    private final MemorySegment keys;
    private final RecordResources resources;
    private final RecordChannel records;

    private DirectionKeys(NativeAllocator allocator, MemorySegment keys, CipherSuite suite) {
        this.allocator = allocator;
        this.keys = keys;
        this.resources = new RecordResources(allocator);
        this.records = new RecordChannel(resources, suite, keys.address());
    }

    /** Copies the keys that open the peer's records. */
    static DirectionKeys opening(NativeAllocator allocator, RecordChannel of) {
        MemorySegment keys = begin(allocator, of);
        long from = ConnectionKeys.opening(of.keys());
        RawMemory.copy(from, ConnectionKeys.opening(keys.address()), TrafficKeys.BYTES);
        return new DirectionKeys(allocator, keys, of.suite());
    }

    /** Copies the keys that seal our records. */
    static DirectionKeys sealing(NativeAllocator allocator, RecordChannel of) {
        MemorySegment keys = begin(allocator, of);
        long from = ConnectionKeys.sealing(of.keys());
        RawMemory.copy(from, ConnectionKeys.sealing(keys.address()), TrafficKeys.BYTES);
        return new DirectionKeys(allocator, keys, of.suite());
    }

    private static MemorySegment begin(NativeAllocator allocator, RecordChannel of) {
        MemorySegment keys = allocator.allocate(ConnectionKeys.BYTES, Long.BYTES);
        ConnectionKeys.begin(keys.address(), ConnectionKeys.isServer(of.keys()));
        return keys;
    }

    RecordChannel records() {
        return records;
    }

    /** Wipes and frees the keys. */
    @Override
    public void close() {
        ConnectionKeys.wipe(keys.address());
        allocator.free(keys);
        resources.close();
    }
}
