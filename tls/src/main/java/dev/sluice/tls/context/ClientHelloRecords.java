package dev.sluice.tls.context;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The first records of a client, put together to one record that holds the whole ClientHello (RFC 8446 section 5.1: a
 * message may be fragmented over records). For whoever looks at a ClientHello without answering it.
 *
 * @param state whether a ClientHello is there
 * @param record one record with the whole message; null unless {@link State#WHOLE}
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record ClientHelloRecords(State state, byte @Nullable [] record) {
    /** The most bytes that are read, headers of records included: no client sends half as many. */
    public static final int BYTES_MAX = 16_384;

    private static final int HANDSHAKE_RECORD = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MAJOR_VERSION = 3;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int PAYLOAD_BYTES_MAX = 16_384;

    /** The possible states. */
    public enum State {
        /** A part of a ClientHello. */
        INCOMPLETE,
        /** No ClientHello, or a longer one than what is read. */
        OTHER,
        /** A ClientHello, and perhaps bytes behind it. */
        WHOLE
    }

    private static final ClientHelloRecords INCOMPLETE = new ClientHelloRecords(State.INCOMPLETE, null);
    private static final ClientHelloRecords OTHER = new ClientHelloRecords(State.OTHER, null);

    /** Reads the first bytes of a connection. */
    public static ClientHelloRecords of(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        ByteBuffer message = ByteBuffer.allocate(RECORD_HEADER_BYTES + bytes.length);
        message.position(RECORD_HEADER_BYTES);
        while (in.remaining() >= RECORD_HEADER_BYTES) {
            int type = in.get();
            int version = in.getShort() >>> Byte.SIZE;
            int length = Short.toUnsignedInt(in.getShort());
            if (type != HANDSHAKE_RECORD || version != MAJOR_VERSION || length == 0 || length > PAYLOAD_BYTES_MAX) {
                return OTHER;
            }
            int there = Math.min(length, in.remaining());
            message.put(in.array(), in.position(), there);
            in.position(in.position() + there);
            ClientHelloRecords found = look(message);
            if (found.state() != State.INCOMPLETE) {
                return found;
            }
        }
        boolean mayContinue = !in.hasRemaining() || in.get() == HANDSHAKE_RECORD;
        return mayContinue && bytes.length < BYTES_MAX ? INCOMPLETE : OTHER;
    }

    /** Looks at what has come of the message, behind the room for the header of a record. */
    private static ClientHelloRecords look(ByteBuffer message) {
        int length = message.position() - RECORD_HEADER_BYTES;
        if (length > 0 && message.get(RECORD_HEADER_BYTES) != CLIENT_HELLO) {
            return OTHER;
        }
        if (length < MESSAGE_HEADER_BYTES) {
            return INCOMPLETE;
        }
        // The type in the upper byte is 1.
        int whole = MESSAGE_HEADER_BYTES + (message.getInt(RECORD_HEADER_BYTES) - (CLIENT_HELLO << (3 * Byte.SIZE)));
        if (RECORD_HEADER_BYTES + whole > BYTES_MAX) {
            return OTHER;
        }
        if (length < whole) {
            return INCOMPLETE;
        }
        message.put(0, (byte) HANDSHAKE_RECORD).putShort(1, (short) ((MAJOR_VERSION << Byte.SIZE) | 1));
        message.putShort(RECORD_HEADER_BYTES - 2, (short) whole);
        byte[] record = new byte[RECORD_HEADER_BYTES + whole];
        message.get(0, record);
        return new ClientHelloRecords(State.WHOLE, record);
    }
}
