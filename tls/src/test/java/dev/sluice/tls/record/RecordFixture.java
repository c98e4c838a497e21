package dev.sluice.tls.record;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Native memory for one test of the record layer: keys of two directions and room for a record. */
final class RecordFixture implements AutoCloseable {
    static final int ROOM_BYTES = 20_000;

    final MallocAllocator allocator = new MallocAllocator();
    final MemorySegment memory = allocator.allocate(2 * TrafficKeys.BYTES + ROOM_BYTES, 64);
    final long sealingKeys = memory.address();
    final long openingKeys = sealingKeys + TrafficKeys.BYTES;
    final long record = openingKeys + TrafficKeys.BYTES;
    final KeySchedule schedule = new KeySchedule(allocator);

    /** Sets the keys of one secret for both directions, so that each opens what the other seals. */
    RecordFixture with(CipherSuite suite, byte[] secret) {
        for (long keys : new long[] {sealingKeys, openingKeys}) {
            RawMemory.copy(secret, 0, TrafficKeys.secretAddress(keys), secret.length);
            schedule.deriveKeys(suite, keys);
        }
        return this;
    }

    void put(long address, byte[] bytes) {
        RawMemory.copy(bytes, 0, address, bytes.length);
    }

    byte[] get(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        return bytes;
    }

    /** Decodes hex text with any white space, as in an RFC. */
    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    @Override
    public void close() {
        schedule.close();
        allocator.free(memory);
    }
}
