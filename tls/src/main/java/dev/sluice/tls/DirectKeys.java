package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.tls.record.ConnectionKeys;

/** The native memory that one connection's secrets lie in: allocated with the connection, wiped and freed with it. */
final class DirectKeys {
    private static final int ALIGNMENT_BYTES = 8;

    private DirectKeys() {}

    /** Their address: a segment would be 40 bytes of heap for every connection, as long as it lives. */
    static long allocate(DirectPath path, boolean server) {
        long keys =
                path.allocator().allocate(ConnectionKeys.BYTES, ALIGNMENT_BYTES).address();
        path.keysAccount().acquired(ConnectionKeys.BYTES);
        ConnectionKeys.begin(keys, server);
        return keys;
    }

    static void free(DirectPath path, long keys) {
        ConnectionKeys.wipe(keys);
        path.allocator().free(RawMemory.view(keys, ConnectionKeys.BYTES));
        path.keysAccount().released(ConnectionKeys.BYTES);
    }
}
