package dev.sluice.tls;

import dev.sluice.ffi.RawMemory;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordProtector;

/**
 * Counts what a TLS 1.2 peer has protected: the records behind its ChangeCipherSpec, each of which has a sequence number.
 * Most send one before any data, their Finished; a peer may cut it into several, or send a warning with it.
 *
 * <p>Reads the headers of a stream that comes in pieces, cut anywhere. Not thread-safe; owns nothing.
 */
final class ProtectedRecords {
    private boolean isProtected;
    private boolean isLost;
    private int type;
    private int headerBytes;

    /** The last bytes of the current header, of which the low 16 bits become the length. */
    private int header;

    private int bodyLeft;
    private int count;

    private ProtectedRecords(boolean isProtected) {
        this.isProtected = isProtected;
    }

    /** Of a stream from its first byte. */
    static ProtectedRecords ofStream() {
        return new ProtectedRecords(false);
    }

    /** Of a part of a stream that begins with a record behind the ChangeCipherSpec. */
    static ProtectedRecords ofRest() {
        return new ProtectedRecords(true);
    }

    /** Takes note of the next bytes. */
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

    /** How many protected records have begun; one counts from the last byte of its header. */
    int count() {
        return count;
    }

    /** Whether something came that is no record of TLS, such as a ClientHello of SSL 2: the count means nothing then. */
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
