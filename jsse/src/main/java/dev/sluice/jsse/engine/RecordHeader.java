package dev.sluice.jsse.engine;

import dev.sluice.jsse.session.SluiceSession;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;
import java.nio.ByteBuffer;

/** The header of a received record: RFC 8446 section 5.1. */
final class RecordHeader {
    /** Result of {@link #recordBytes}: more bytes are needed. */
    static final int INCOMPLETE = 0;

    /** Result of {@link #recordBytes}: the bytes are no record of TLS. */
    static final int NOT_TLS = -1;

    /** Result of {@link #recordBytes}: longer than any record. */
    static final int TOO_LONG = -2;

    private static final int MAJOR_VERSION = 3;
    private static final int VERSION_OFFSET = 1;
    private static final int LENGTH_OFFSET = 3;

    private RecordHeader() {}

    /** Returns the size of the record at a buffer's position, with its header, or why there is none. */
    static int recordBytes(ByteBuffer src) {
        if (src.remaining() < RecordProtector.HEADER_BYTES) {
            return INCOMPLETE;
        }
        int at = src.position();
        int type = src.get(at);
        if (type < ContentType.CHANGE_CIPHER_SPEC
                || type > ContentType.APPLICATION_DATA
                || src.get(at + VERSION_OFFSET) != MAJOR_VERSION) {
            return NOT_TLS;
        }
        int high = src.get(at + LENGTH_OFFSET) & 0xFF;
        int low = src.get(at + LENGTH_OFFSET + 1) & 0xFF;
        int record = RecordProtector.HEADER_BYTES + ((high << Byte.SIZE) | low);
        return record > SluiceSession.MAX_PACKET_BYTES ? TOO_LONG : record;
    }
}
