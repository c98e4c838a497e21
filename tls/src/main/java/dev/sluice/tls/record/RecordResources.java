package dev.sluice.tls.record;

import dev.sluice.memory.NativeAllocator;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources for record protection that an event loop's connections share: one key schedule, and one protector per
 * cipher, created on first use. Confined to the loop's thread.
 */
public final class RecordResources implements AutoCloseable {
    private final NativeAllocator allocator;
    private final Map<Aead, RecordProtector> protectors = new EnumMap<>(Aead.class);
    private final CryptoMeter meter;

    /** Created on first use: a connection without a loop may never need one. */
    private @Nullable KeySchedule schedule;

    /** Creates the resources of a loop. */
    public RecordResources(NativeAllocator allocator) {
        this.allocator = allocator;
        this.meter = new CryptoMeter(allocator);
    }

    /** Returns the meter of the loop's cryptography. */
    public CryptoMeter meter() {
        return meter;
    }

    /** Returns the key schedule. */
    public KeySchedule schedule() {
        KeySchedule made = schedule;
        if (made == null) {
            made = new KeySchedule(allocator);
            schedule = made;
        }
        return made;
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
        if (schedule != null) {
            schedule.close();
            schedule = null;
        }
        meter.close();
    }
}
