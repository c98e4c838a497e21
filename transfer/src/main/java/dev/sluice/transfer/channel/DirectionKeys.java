package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordResources;
import dev.sluice.tls.record.TrafficKeys;
import java.util.function.LongUnaryOperator;

/**
 * A factory for the record protection of one direction: its keys, which the other direction's thread cannot reach, and
 * its own cipher contexts.
 */
final class DirectionKeys {
    private DirectionKeys() {}

    /** Copies the keys that open the peer's records. */
    static RecordChannel opening(Owned owned, RecordChannel of) {
        return copy(owned, of, ConnectionKeys::opening);
    }

    /** Copies the keys that seal our records. */
    static RecordChannel sealing(Owned owned, RecordChannel of) {
        return copy(owned, of, ConnectionKeys::sealing);
    }

    private static RecordChannel copy(Owned owned, RecordChannel of, LongUnaryOperator direction) {
        long keys = owned.allocate(ConnectionKeys.BYTES).address();
        ConnectionKeys.begin(keys, ConnectionKeys.isServer(of.keys()));
        long from = direction.applyAsLong(of.keys());
        RawMemory.copy(from, direction.applyAsLong(keys), TrafficKeys.BYTES);
        RecordResources resources = new RecordResources(owned.allocator());
        owned.add(resources::close);
        return new RecordChannel(resources, of.suite(), keys);
    }
}
