package dev.sluice.tls.context;

import dev.sluice.ffi.libc.RawMemory;
import java.util.Arrays;

/**
 * The first bytes of a client in pieces, until they hold its whole ClientHello: TCP may split them anywhere, and a
 * message may be fragmented over records (RFC 8446 section 5.1). For a program that reads a ClientHello without
 * answering it. Each byte is looked at once, and all are kept as they came.
 */
public final class ClientHelloAssembly {
    /** The most bytes that are awaited, headers of records included: clients send some hundred, or a few thousand. */
    public static final int BYTES_MAX = 16_384;

    private static final int HANDSHAKE_RECORD = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MAJOR_VERSION = 3;
    private static final int MINOR_VERSION = 1;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int PAYLOAD_BYTES_MAX = 16_384;
    private static final int FIRST_CAPACITY = 512;

    private byte[] bytes = {};
    private int length;
    /** The next byte to look at. */
    private int position;
    /** Bytes of a record's header that were looked at; all of them inside of its payload. */
    private int headerBytes;

    private int payloadLeft;
    private int messageBytes;
    /** The length in the message's header, as far as that was looked at. */
    private int bodyBytes;

    private State state = State.INCOMPLETE;

    /** Makes one of a client that has sent nothing yet. */
    public ClientHelloAssembly() {}

    /** The possible states. */
    public enum State {
        /** A part of a ClientHello. */
        INCOMPLETE,
        /** A ClientHello, and perhaps bytes behind it. */
        WHOLE,
        /** No ClientHello. */
        OTHER,
        /** A ClientHello that does not fit into {@link #BYTES_MAX}. */
        TOO_LONG
    }

    /**
     * Copies the next bytes of the client. Not behind any state but {@link State#INCOMPLETE}.
     *
     * @return what is there now
     */
    public State add(long address, int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, Math.max(FIRST_CAPACITY, 2 * bytes.length)));
        }
        RawMemory.copy(address, bytes, length, count);
        length += count;
        while (state == State.INCOMPLETE && position < length) {
            if (headerBytes < RECORD_HEADER_BYTES) {
                state = header(bytes[position++] & 0xff);
            } else {
                payload();
            }
        }
        if (state == State.INCOMPLETE && length >= BYTES_MAX) {
            state = State.TOO_LONG;
        }
        return state;
    }

    /** Looks at a byte of a record's header. */
    private State header(int value) {
        boolean valid = switch (headerBytes++) {
            case 0 -> value == HANDSHAKE_RECORD;
            case 1 -> value == MAJOR_VERSION;
            case 2 -> true;
            case 3 -> {
                payloadLeft = value << Byte.SIZE;
                yield payloadLeft <= PAYLOAD_BYTES_MAX;
            }
            default -> {
                payloadLeft |= value;
                // No message may be in an empty record, RFC 8446 section 5.1.
                yield payloadLeft > 0 && payloadLeft <= PAYLOAD_BYTES_MAX;
            }
        };
        return valid ? State.INCOMPLETE : State.OTHER;
    }

    /** Looks at bytes of a record's payload: one of the message's header, or all that are there of its body. */
    private void payload() {
        int taken = 1;
        if (messageBytes < MESSAGE_HEADER_BYTES) {
            state = messageHeader(bytes[position] & 0xff);
        } else {
            taken = Math.min(Math.min(payloadLeft, length - position), whole() - messageBytes);
        }
        messageBytes += taken;
        position += taken;
        payloadLeft -= taken;
        if (payloadLeft == 0) {
            headerBytes = 0;
        }
        if (state == State.INCOMPLETE && messageBytes >= MESSAGE_HEADER_BYTES && messageBytes == whole()) {
            state = State.WHOLE;
        }
    }

    private State messageHeader(int value) {
        if (messageBytes == 0) {
            return value == CLIENT_HELLO ? State.INCOMPLETE : State.OTHER;
        }
        bodyBytes = bodyBytes << Byte.SIZE | value;
        boolean isLast = messageBytes == MESSAGE_HEADER_BYTES - 1;
        return isLast && RECORD_HEADER_BYTES + whole() > BYTES_MAX ? State.TOO_LONG : State.INCOMPLETE;
    }

    /** Returns the length of the message. */
    private int whole() {
        return MESSAGE_HEADER_BYTES + bodyBytes;
    }

    /** Returns the number of bytes that were added. */
    public int length() {
        return length;
    }

    /** Returns a copy of all bytes that were added. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Returns one record with the whole message, as {@link ClientHelloNames} reads it. After {@link State#WHOLE}. */
    public byte[] record() {
        byte[] record = new byte[RECORD_HEADER_BYTES + whole()];
        record[0] = HANDSHAKE_RECORD;
        record[1] = MAJOR_VERSION;
        record[2] = MINOR_VERSION;
        record[3] = (byte) (whole() >> Byte.SIZE);
        record[4] = (byte) whole();
        int from = 0;
        for (int to = RECORD_HEADER_BYTES; to < record.length; ) {
            int payload = (bytes[from + 3] & 0xff) << Byte.SIZE | (bytes[from + 4] & 0xff);
            int taken = Math.min(payload, record.length - to);
            System.arraycopy(bytes, from + RECORD_HEADER_BYTES, record, to, taken);
            from += RECORD_HEADER_BYTES + payload;
            to += taken;
        }
        return record;
    }
}
