package dev.sluice.net;

/** How a loop's receive buffers are laid out, so that a full TLS record can be sealed around its payload in place. */
public final class BufferGeometry {
    /** Bytes free before the payload: the TLS record header (RFC 8446 section 5.1). */
    public static final int HEADROOM = 5;

    /** Most payload of one record: 2^14 bytes (RFC 8446 section 5.1). */
    public static final int PAYLOAD = 16_384;

    /** Bytes free behind the payload: the inner content type and the AEAD tag (RFC 8446 section 5.2). */
    public static final int TAILROOM = 17;

    /** Size of a loop buffer: the three above, rounded up to cache lines of 64 bytes. */
    public static final int SLAB_BYTES = (HEADROOM + PAYLOAD + TAILROOM + 63) / 64 * 64;

    private BufferGeometry() {}
}
