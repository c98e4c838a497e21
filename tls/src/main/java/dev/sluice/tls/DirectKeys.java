package dev.sluice.tls;

import dev.sluice.tls.record.ConnectionKeys;
import java.lang.foreign.MemorySegment;

/** The native memory that one connection's secrets lie in: allocated with the connection, wiped and freed with it. */
final class DirectKeys {
    private static final int ALIGNMENT_BYTES = 8;

    private DirectKeys() {}

    static MemorySegment allocate(DirectPath path, boolean server) {
        MemorySegment keys = path.allocator().allocate(ConnectionKeys.BYTES, ALIGNMENT_BYTES);
        path.keysAccount().acquired(ConnectionKeys.BYTES);
        ConnectionKeys.begin(keys.address(), server);
        return keys;
    }

    static void free(DirectPath path, MemorySegment keys) {
        ConnectionKeys.wipe(keys.address());
        path.allocator().free(keys);
        path.keysAccount().released(ConnectionKeys.BYTES);
    }
}
