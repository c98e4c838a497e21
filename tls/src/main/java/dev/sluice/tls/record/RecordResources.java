package dev.sluice.tls.record;

import dev.sluice.memory.NativeAllocator;
import java.util.EnumMap;
import java.util.Map;

/**
 * What the connections of one event loop share to protect their records: one key schedule, and one protector per
 * cipher, made when it is first needed. Confined to the loop's thread.
 */
public final class RecordResources implements AutoCloseable {
    private final NativeAllocator allocator;
    private final Map<Aead, RecordProtector> protectors = new EnumMap<>(Aead.class);
    private final KeySchedule schedule;
    private final CryptoMeter meter;

    /** Makes a loop's resources. */
    public RecordResources(NativeAllocator allocator) {
        this.allocator = allocator;
        this.schedule = new KeySchedule(allocator);
        this.meter = new CryptoMeter(allocator);
    }

    /** What times the loop's cryptography. */
    public CryptoMeter meter() {
        return meter;
    }

    /** Derives keys. */
    public KeySchedule schedule() {
        return schedule;
    }

    /** Seals and opens records of a cipher; ask once per connection, not per record. */
    public RecordProtector protector(Aead aead) {
        RecordProtector protector = protectors.get(aead);
        if (protector == null) {
            protector = new RecordProtector(aead, allocator, meter);
            protectors.put(aead, protector);
        }
        return protector;
    }

    /** Frees all; the connections must be closed before. */
    @Override
    public void close() {
        protectors.values().forEach(RecordProtector::close);
        protectors.clear();
        schedule.close();
        meter.close();
    }
}
