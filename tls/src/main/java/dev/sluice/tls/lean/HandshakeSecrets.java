package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.Hash;
import dev.sluice.tls.record.TrafficKeys;

/**
 * The secrets of a connection between the server's flight and the client's Finished, in one block of {@link
 * ConnectionKeys#BYTES}, which its owner wipes.
 *
 * <pre>
 *   0                 112                        160               208
 *   +-----------------+--------------------------+-----------------+
 *   | client's        | verify_data of the       | resumption      |
 *   | handshake keys  | client's Finished        | master secret   |
 *   +-----------------+--------------------------+-----------------+
 * </pre>
 */
public final class HandshakeSecrets {
    private static final int FINISHED_OFFSET = TrafficKeys.BYTES;
    private static final int RESUMPTION_OFFSET = FINISHED_OFFSET + Hash.MAX_BYTES;

    private HandshakeSecrets() {}

    /** Clears a block for use. */
    static void begin(long block) {
        RawMemory.zero(block, ConnectionKeys.BYTES);
    }

    /** Returns the {@link TrafficKeys} of the client's handshake records. */
    public static long clientKeys(long block) {
        return block;
    }

    /** Returns the address of the verify_data that the client's Finished must have. */
    public static long expectedFinished(long block) {
        return block + FINISHED_OFFSET;
    }

    /** Returns the address of the resumption master secret. */
    static long resumption(long block) {
        return block + RESUMPTION_OFFSET;
    }
}
