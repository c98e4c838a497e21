package dev.sluice.net;

/**
 * The layout of a loop's buffers, so that a full TLS record can be sealed around its payload in place, and a record of
 * any legal length can be received whole.
 *
 * <pre>
 *   ordinary   | headroom 13 |          payload 16,384           | tailroom 17 | rest |
 *   bulk       | headroom 13 | 4 times the payload, or 4 records as they arrive |     |
 * </pre>
 */
public final class BufferGeometry {
    /**
     * Bytes free before the payload: the record header and, for AES-GCM in TLS 1.2, the explicit nonce (RFC 8446
     * section 5.1, RFC 5288 section 3).
     */
    public static final int HEADROOM = 13;

    /** Most payload of one record: 2^14 bytes (RFC 8446 section 5.1). */
    public static final int PAYLOAD = 16_384;

    /** Bytes free behind the payload: the inner content type and the AEAD tag (RFC 8446 section 5.2). */
    public static final int TAILROOM = 17;

    /** Room behind the headroom: the longest record as it arrives, that of AES-GCM in TLS 1.2. */
    public static final int ROOM = HEADROOM + PAYLOAD + 16;

    /** Size of a loop buffer, rounded up to cache lines of 64 bytes. */
    public static final int SLAB_BYTES = (HEADROOM + ROOM + 63) / 64 * 64;

    /** Number of full records that a bulk buffer takes. */
    public static final int BULK_RECORDS = 4;

    /** Payload of a bulk buffer. */
    public static final int BULK_PAYLOAD = BULK_RECORDS * PAYLOAD;

    /** Room behind the headroom of a bulk buffer. */
    public static final int BULK_ROOM = BULK_RECORDS * ROOM;

    /** Size of a bulk buffer: what a busy connection receives into and seals into, several records at a time. */
    public static final int BULK_BYTES = (HEADROOM + BULK_ROOM + 63) / 64 * 64;

    private BufferGeometry() {}
}
