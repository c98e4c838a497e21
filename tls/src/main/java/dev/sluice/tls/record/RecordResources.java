package dev.sluice.tls.record;

import dev.sluice.memory.NativeAllocator;
import java.util.EnumMap;
import java.util.Map;

/**
 * The resources for record protection that an event loop's connections share: one key schedule, and one protector per
 * cipher, created on first use. Confined to the loop's thread.
 */
public final class RecordResources implements AutoCloseable {
    private final NativeAllocator allocator;
    private final Map<Aead, RecordProtector> protectors = new EnumMap<>(Aead.class);
    private final KeySchedule schedule;
    private final CryptoMeter meter;

    /** Creates the resources of a loop. */
    public RecordResources(NativeAllocator allocator) {
        this.allocator = allocator;
        this.schedule = new KeySchedule(allocator);
        this.meter = meterOrFree();
    }

    private CryptoMeter meterOrFree() {
        try {
            return new CryptoMeter(allocator);
        } catch (Throwable t) {
            schedule.close();
            throw t;
        }
    }

    /** Returns the meter of the loop's cryptography. */
    public CryptoMeter meter() {
        return meter;
    }

    /** Returns the key schedule. */
    public KeySchedule schedule() {
        return schedule;
    }

    /** Returns the protector of a cipher; call once per connection, not per record. */
    public RecordProtector protector(Aead aead) {
        RecordProtector protector = protectors.get(aead);
        if (protector == null) {
            protector = new RecordProtector(aead, allocator, meter);
            protectors.put(aead, protector);
        }
        return protector;
    }

    /** Frees all resources; the connections must be closed before. */
    @Override
    public void close() {
        protectors.values().forEach(RecordProtector::close);
        protectors.clear();
        schedule.close();
        meter.close();
    }
}
