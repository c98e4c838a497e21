package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;

/**
 * The keys of one direction of an established connection, in native memory that the connection owns.
 *
 * <pre>
 *   0              48          80        92     96           104       112
 *   +--------------+-----------+---------+------+------------+---------+
 *   | secret       | key       | iv      | note | sequence   | key id  |
 *   +--------------+-----------+---------+------+------------+---------+
 * </pre>
 *
 * <p>The sequence number is that of the next record. The key id is unique in the process, so that a {@link
 * RecordProtector} recognizes its loaded key. All zero before keys are derived and after {@link #wipe}, except for the
 * note, which belongs to {@link ConnectionKeys}.
 */
public final class TrafficKeys {
    /** Size of one direction's keys. */
    public static final int BYTES = 112;

    static final int SECRET_OFFSET = 0;
    static final int KEY_OFFSET = SECRET_OFFSET + Hash.MAX_BYTES;
    static final int IV_OFFSET = KEY_OFFSET + Aead.MAX_KEY_BYTES;
    static final int EXPLICIT_NONCE_BASE_OFFSET = IV_OFFSET + Aead.NONCE_BYTES - RecordProtector.EXPLICIT_NONCE_BYTES;
    static final int NOTE_OFFSET = IV_OFFSET + Aead.NONCE_BYTES;
    static final int SEQUENCE_OFFSET = NOTE_OFFSET + Integer.BYTES;
    static final int KEY_ID_OFFSET = SEQUENCE_OFFSET + Long.BYTES;

    /** The key id of memory that holds no keys. */
    static final long NO_KEYS = 0;

    private TrafficKeys() {}

    /** Returns the address of the traffic secret. */
    public static long secretAddress(long keys) {
        return keys + SECRET_OFFSET;
    }

    /** Returns the address of the key. */
    public static long keyAddress(long keys) {
        return keys + KEY_OFFSET;
    }

    /** Returns the address of the 12-byte IV. */
    public static long ivAddress(long keys) {
        return keys + IV_OFFSET;
    }

    /** Returns the sequence number of the next record. */
    public static long sequence(long keys) {
        return RawMemory.getLong(keys + SEQUENCE_OFFSET);
    }

    /** Sets the sequence number of the next record. */
    public static void sequence(long keys, long value) {
        RawMemory.putLong(keys + SEQUENCE_OFFSET, value);
    }

    /**
     * Returns the number added to a record's sequence number to form its explicit nonce: TLS 1.2 with AES-GCM only,
     * whose IV leaves the last 8 bytes free.
     */
    static long explicitNonceBase(long keys) {
        return RawMemory.getLong(keys + EXPLICIT_NONCE_BASE_OFFSET);
    }

    /** Sets the explicit nonce of sequence number 0. */
    public static void explicitNonceBase(long keys, long value) {
        RawMemory.putLong(keys + EXPLICIT_NONCE_BASE_OFFSET, value);
    }

    static long keyId(long keys) {
        return RawMemory.getLong(keys + KEY_ID_OFFSET);
    }

    static void keyId(long keys, long value) {
        RawMemory.putLong(keys + KEY_ID_OFFSET, value);
    }

    /** Overwrites everything with zeros. */
    static void wipe(long keys) {
        RawMemory.zero(keys, BYTES);
    }
}
