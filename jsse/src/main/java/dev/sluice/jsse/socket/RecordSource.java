package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that arrive on a transport, after those that somebody else has read from it before. Confined to the holder
 * of the inbound lock, except for {@link #drain}.
 */
final class RecordSource {
    /** The size of a record's header (RFC 8446 section 5.1): content type, version, length of the rest. */
    static final int HEADER_BYTES = 5;

    private static final int LENGTH_OFFSET = 3;
    private static final int CONTENT_TYPE_FIRST = 20;
    private static final int CONTENT_TYPE_LAST = 24;

    /** A limit on what is discarded at a close, so that a peer that never stops does not delay it. */
    private static final int DRAINED_BYTES_MAX = 256 * 1024;

    private final InputStream transport;
    private final Ownership ownership;
    private @Nullable InputStream consumed;

    /**
     * Creates a source.
     *
     * @param consumed bytes that were read from the transport before; null for none
     */
    RecordSource(InputStream transport, @Nullable InputStream consumed, Ownership ownership) {
        this.transport = transport;
        this.consumed = consumed;
        this.ownership = ownership;
    }

    /** Returns the size of the record that begins at a buffer's position, with its header; the header is present. */
    static int recordBytes(ByteBuffer records) {
        return HEADER_BYTES + Short.toUnsignedInt(records.getShort(records.position() + LENGTH_OFFSET));
    }

    /**
     * Appends bytes after a buffer's limit and moves the limit. Blocks until there is at least one.
     *
     * <p>From a borrowed transport at most the rest of one record is read, since what follows the last record belongs
     * to the transport's caller.
     *
     * @return false at the transport's end
     */
    boolean append(ByteBuffer records) throws IOException {
        int room = records.capacity() - records.limit();
        int wanted = ownership == Ownership.OWNED ? room : Math.min(room, restOfRecord(records));
        int received = read(records.array(), records.arrayOffset() + records.limit(), wanted);
        if (received < 0) {
            return false;
        }
        records.limit(records.limit() + received);
        return true;
    }

    private static int restOfRecord(ByteBuffer records) {
        int present = records.remaining();
        if (present < HEADER_BYTES) {
            return HEADER_BYTES - present;
        }
        int type = records.get(records.position());
        if (type < CONTENT_TYPE_FIRST || type > CONTENT_TYPE_LAST) {
            return 1; // Not a record of TLS: the engine decides.
        }
        return Math.max(1, recordBytes(records) - present);
    }

    private int read(byte[] target, int offset, int length) throws IOException {
        InputStream first = consumed;
        if (first != null) {
            int received = first.read(target, offset, length);
            if (received > 0) {
                return received;
            }
            consumed = null;
        }
        return transport.read(target, offset, length);
    }

    /**
     * Discards what has arrived, without blocking. The kernel answers the close of a socket with unread bytes by a
     * reset, and a reset may overtake the last record on its way to the peer's reader.
     */
    void drain() throws IOException {
        int limit = DRAINED_BYTES_MAX;
        int available = transport.available();
        while (available > 0 && limit > 0) {
            long skipped = transport.skip(Math.min(available, limit));
            if (skipped <= 0) {
                return;
            }
            limit -= (int) skipped;
            available = transport.available();
        }
    }
}
