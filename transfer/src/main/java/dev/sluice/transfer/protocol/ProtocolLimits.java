package dev.sluice.transfer.protocol;

import java.time.Duration;

/** The limits of the protocol; a peer that exceeds one breaks it. */
public final class ProtocolLimits {
    /** The oldest version spoken. */
    public static final int VERSION_MIN = 1;
    /** The newest version spoken. */
    public static final int VERSION_MAX = 2;
    /** The first version with compressed contents. */
    static final int COMPRESSION_VERSION = 2;
    /** The bytes that have one hash, and the most of a READ. */
    public static final int CHUNK_BYTES = 256 * 1024;
    /** The size of a hash. */
    public static final int HASH_BYTES = 32;
    /** The size of the checksum of a DATA. */
    public static final int CHECKSUM_BYTES = 16;
    /** The most bytes of a frame's payload, except of DATA. */
    public static final int PAYLOAD_BYTES_MAX = 64 * 1024;
    /** The bytes of the trailer of DATA without a checksum. */
    public static final int TRAILER_BYTES = 1;
    /** The most chunks of a HASHES. */
    public static final int HASHES_MAX = 64;
    /** The most extents of an EXTENT_LIST. */
    public static final int EXTENTS_MAX = 1024;
    /** The most bytes of requests that wait for an answer: they fit into the socket buffers of an idle source. */
    public static final int REQUEST_BYTES_MAX = 48 * 1024;
    /** The most streams of a session. */
    public static final int STREAMS_MAX = 64;
    /** The most bytes of the text of an ERROR. */
    public static final int TEXT_BYTES_MAX = 512;
    /** The size of a session's identifier. */
    public static final int SESSION_BYTES = 16;
    /** The header of a frame. */
    public static final int HEADER_BYTES = 8;

    /** The most time without a byte where one is due: a side that has waited for so long gives the stream up. */
    public static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);
    /** The time after which a target sends PING, whether it waits for other streams or for its disk. */
    public static final Duration PING_INTERVAL = Duration.ofSeconds(15);

    private ProtocolLimits() {}
}
