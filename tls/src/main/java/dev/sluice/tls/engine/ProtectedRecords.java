package dev.sluice.tls.engine;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;

/**
 * A counter of the records that a TLS 1.2 peer has protected: those after its ChangeCipherSpec, each of which has a
 * sequence number. Most peers send one before any data, their Finished; a peer may split it, or send a warning with it.
 *
 * <p>Reads the headers of a stream that arrives in arbitrary pieces. Not thread-safe; owns nothing.
 */
final class ProtectedRecords {
    private boolean isProtected;
    private boolean isLost;
    private int type;
    private int headerBytes;

    /** The last bytes of the current header; the low 16 bits become the length. */
    private int header;

    private int bodyLeft;
    private int count;

    private ProtectedRecords(boolean isProtected) {
        this.isProtected = isProtected;
    }

    /** Creates a counter for a stream from its first byte. */
    static ProtectedRecords ofStream() {
        return new ProtectedRecords(false);
    }

    /** Creates a counter for the part of a stream after the ChangeCipherSpec. */
    static ProtectedRecords ofRest() {
        return new ProtectedRecords(true);
    }

    /** Reads the next bytes. */
    void read(long address, int length) {
        int at = 0;
        while (at < length && !isLost) {
            if (bodyLeft > 0) {
                int step = Math.min(bodyLeft, length - at);
                bodyLeft -= step;
                at += step;
            } else {
                headerByte(RawMemory.getByte(address + at++) & 0xFF);
            }
        }
    }

    /** Returns the number of protected records; one counts when its header is complete. */
    int count() {
        return count;
    }

    /**
     * Returns whether the stream contains something other than TLS records, such as an SSL 2 ClientHello; the count is
     * then meaningless.
     */
    boolean isLost() {
        return isLost;
    }

    private void headerByte(int value) {
        if (headerBytes == 0) {
            type = value;
            isLost = type < ContentType.CHANGE_CIPHER_SPEC || type > ContentType.APPLICATION_DATA;
        }
        header = (header << Byte.SIZE) | value;
        if (++headerBytes == RecordProtector.HEADER_BYTES) {
            headerBytes = 0;
            bodyLeft = header & 0xFFFF;
            count += isProtected ? 1 : 0;
            isProtected |= type == ContentType.CHANGE_CIPHER_SPEC;
        }
    }
}
