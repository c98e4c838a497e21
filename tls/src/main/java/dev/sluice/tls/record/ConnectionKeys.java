package dev.sluice.tls.record;

import dev.sluice.ffi.RawMemory;

/**
 * All secrets of one connection, in one piece of native memory that the connection owns.
 *
 * <pre>
 *   0                          112                        224
 *   +--------------------------+--------------------------+
 *   | opening keys             | sealing keys             |
 *   | TrafficKeys, note: found | TrafficKeys, note: role  |
 *   +--------------------------+--------------------------+
 * </pre>
 *
 * <p>{@code found} says what has been delivered, by the key log above all, {@code role} which of the two traffic secrets opens.
 * The master secret of TLS 1.2, which has no traffic secrets, lies in the place of the opening one until keys are derived.
 */
public final class ConnectionKeys {
    /** Size of one connection's secrets. */
    public static final int BYTES = 2 * TrafficKeys.BYTES;

    /** In {@code found}: the secret of what the client sends. */
    public static final int CLIENT_SECRET = 1;

    /** In {@code found}: the secret of what the server sends. */
    public static final int SERVER_SECRET = 2;

    /** In {@code found}: the TLS 1.2 master secret. */
    public static final int MASTER_SECRET = 4;

    /** In {@code found}: the explicit nonce of our Finished of TLS 1.2. */
    public static final int FINISHED_NONCE = 8;

    /** Bytes of the TLS 1.2 master secret. */
    public static final int MASTER_SECRET_BYTES = 48;

    static final int OPENING_OFFSET = 0;
    static final int SEALING_OFFSET = OPENING_OFFSET + TrafficKeys.BYTES;
    static final int FOUND_OFFSET = OPENING_OFFSET + TrafficKeys.NOTE_OFFSET;
    static final int ROLE_OFFSET = SEALING_OFFSET + TrafficKeys.NOTE_OFFSET;

    private static final int SERVER_ROLE = 1;

    private ConnectionKeys() {}

    /** Readies the memory for a handshake. */
    public static void begin(long block, boolean server) {
        RawMemory.zero(block, BYTES);
        RawMemory.putInt(block + ROLE_OFFSET, server ? SERVER_ROLE : 0);
    }

    /** The {@link TrafficKeys} of what the peer sends. */
    public static long opening(long block) {
        return block + OPENING_OFFSET;
    }

    /** The {@link TrafficKeys} of what we send. */
    public static long sealing(long block) {
        return block + SEALING_OFFSET;
    }

    /** The {@link TrafficKeys} of what the client sends. */
    public static long client(long block) {
        return isServer(block) ? opening(block) : sealing(block);
    }

    /** The {@link TrafficKeys} of what the server sends. */
    public static long server(long block) {
        return isServer(block) ? sealing(block) : opening(block);
    }

    /** Where the TLS 1.2 master secret lies. */
    public static long masterSecret(long block) {
        return TrafficKeys.secretAddress(opening(block));
    }

    /** Whether this is the server's end. */
    public static boolean isServer(long block) {
        return RawMemory.getInt(block + ROLE_OFFSET) == SERVER_ROLE;
    }

    /** Notes that something was delivered. */
    public static void found(long block, int secret) {
        RawMemory.putInt(block + FOUND_OFFSET, RawMemory.getInt(block + FOUND_OFFSET) | secret);
    }

    /** Whether all of these were delivered. */
    public static boolean has(long block, int secrets) {
        return (RawMemory.getInt(block + FOUND_OFFSET) & secrets) == secrets;
    }

    /** Overwrites everything with zero. */
    public static void wipe(long block) {
        RawMemory.zero(block, BYTES);
    }
}
