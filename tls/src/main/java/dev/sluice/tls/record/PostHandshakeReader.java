package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.failure.EndReason;

/**
 * A reader of the handshake messages that may follow a TLS 1.3 handshake, in pieces as records deliver them; it stores
 * only its position in a message: RFC 8446 section 4.6.
 *
 * <p>KeyUpdates are handled for both sides; a client ignores the NewSessionTickets of its server, since a client that
 * waits for tickets is still in libssl. Types and lengths are checked as soon as they arrive, including those inside a
 * ticket; the content of its extensions is ignored. Confined to one thread; no call allocates.
 */
public final class PostHandshakeReader implements HandshakeMessageReader {
    /** The longest ticket that is skipped, the same limit as libssl's. */
    public static final int MAX_TICKET_BYTES = RecordProtector.MAX_PAYLOAD_BYTES;

    private static final int TYPE_NEW_SESSION_TICKET = 4; // RFC 8446 section 4
    private static final int TYPE_KEY_UPDATE = 24;
    private static final int HEADER_BYTES = 4;
    private static final int KEY_UPDATE_BODY_BYTES = 1;
    private static final int UPDATE_NOT_REQUESTED = 0;
    private static final int UPDATE_REQUESTED = 1;
    private static final int LENGTH_MASK = 0xFFFFFF;
    private static final int LIFETIME_AND_AGE_BYTES = 8;
    private static final int MIN_TICKET_BYTES =
            LIFETIME_AND_AGE_BYTES + Vector.NONCE.lengthBytes + Vector.NONCE.leastBehind;

    /** The vectors of a NewSessionTicket after lifetime and age: RFC 8446 section 4.6.1. */
    private enum Vector {
        /** No vector: the bytes before the first one. */
        NONE(0, 0, 0),
        NONCE(1, 0, 5),
        TICKET(2, 1, 2),
        EXTENSIONS(2, 0, 0);

        private final int lengthBytes;
        private final int least;

        /** The minimum number of bytes after the vector. */
        private final int leastBehind;

        Vector(int lengthBytes, int least, int leastBehind) {
            this.lengthBytes = lengthBytes;
            this.least = least;
            this.leastBehind = leastBehind;
        }

        Vector next() {
            return switch (this) {
                case NONE -> NONCE;
                case NONCE -> TICKET;
                case TICKET, EXTENSIONS -> EXTENSIONS;
            };
        }
    }

    private final boolean ticketsAllowed;
    private EndReason reason = EndReason.UNEXPECTED_MESSAGE;

    /** The header bytes so far, big-endian. */
    private int header;

    private byte headerBytes;
    private char bodyMissing;

    /** The position in a ticket. */
    private Vector vector = Vector.NONE;

    /** The missing bytes of the vector's length. */
    private byte lengthMissing;

    /** The partial length; then the missing bytes of the vector. */
    private char vectorMissing;

    /** Creates a reader for one direction of one connection. */
    public PostHandshakeReader(boolean server) {
        this.ticketsAllowed = !server;
    }

    @Override
    public boolean isInsideMessage() {
        return headerBytes > 0;
    }

    @Override
    public EndReason reason() {
        return reason;
    }

    @Override
    public int read(long content, int length) {
        if (length == 0) {
            return refuse(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE); // RFC 8446 section 5.1
        }
        int at = 0;
        while (at < length) {
            if (headerBytes < HEADER_BYTES) {
                int refused = headerByte(RawMemory.getByte(content + at++) & 0xFF);
                if (refused < 0) {
                    return refused;
                }
            } else if (type() == TYPE_KEY_UPDATE) {
                return keyUpdate(RawMemory.getByte(content + at), at == length - 1);
            } else {
                int passed = passOver(content + at, length - at);
                if (passed < 0) {
                    return passed;
                }
                at += passed;
            }
        }
        return NOTHING;
    }

    private int headerByte(int value) {
        header = (header << Byte.SIZE) | value;
        headerBytes++;
        if (headerBytes == 1) {
            boolean allowed = value == TYPE_KEY_UPDATE || (value == TYPE_NEW_SESSION_TICKET && ticketsAllowed);
            return allowed ? NOTHING : refuse(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE);
        }
        return headerBytes == HEADER_BYTES ? headerComplete() : NOTHING;
    }

    private int headerComplete() {
        int length = header & LENGTH_MASK;
        bodyMissing = (char) length;
        if (type() == TYPE_KEY_UPDATE) {
            return length == KEY_UPDATE_BODY_BYTES
                    ? NOTHING
                    : refuse(Alert.DECODE_ERROR, EndReason.MALFORMED_KEY_UPDATE);
        }
        if (length > MAX_TICKET_BYTES) {
            return refuse(Alert.ILLEGAL_PARAMETER, EndReason.MESSAGE_TOO_LONG);
        }
        vector = Vector.NONE;
        vectorMissing = LIFETIME_AND_AGE_BYTES;
        return length < MIN_TICKET_BYTES ? refuseTicket() : NOTHING;
    }

    private int type() {
        return header >>> (3 * Byte.SIZE);
    }

    /**
     * Skips the next bytes of a ticket.
     *
     * @return the number of bytes, at least one, or the negated alert
     */
    private int passOver(long address, int available) {
        if (lengthMissing > 0) {
            vectorMissing = (char) (vectorMissing << Byte.SIZE | (RawMemory.getByte(address) & 0xFF));
            bodyMissing--;
            return --lengthMissing > 0 || vectorFits() ? 1 : refuseTicket();
        }
        int now = Math.min(vectorMissing, available);
        vectorMissing -= (char) now;
        bodyMissing -= (char) now;
        if (vectorMissing == 0) {
            nextVector();
        }
        return now;
    }

    /** Checks a complete length; an empty vector is over then. */
    private boolean vectorFits() {
        boolean isLast = vector == Vector.EXTENSIONS;
        boolean fits = vectorMissing >= vector.least
                && (isLast ? vectorMissing == bodyMissing : vectorMissing + vector.leastBehind <= bodyMissing);
        if (fits && vectorMissing == 0) {
            nextVector();
        }
        return fits;
    }

    private void nextVector() {
        if (vector == Vector.EXTENSIONS) {
            endOfMessage();
        } else {
            vector = vector.next();
            lengthMissing = (byte) vector.lengthBytes;
        }
    }

    private void endOfMessage() {
        header = 0;
        headerBytes = 0;
    }

    private int refuseTicket() {
        return refuse(Alert.DECODE_ERROR, EndReason.MALFORMED_TICKET);
    }

    /**
     * Handles a KeyUpdate; nothing may follow it in the same record, since it would be under the next key (RFC 8446
     * section 4.6.3).
     */
    private int keyUpdate(byte request, boolean last) {
        endOfMessage();
        if (!last) {
            return refuse(Alert.UNEXPECTED_MESSAGE, EndReason.MALFORMED_KEY_UPDATE);
        }
        return switch (request) {
            case UPDATE_NOT_REQUESTED -> KEY_UPDATE;
            case UPDATE_REQUESTED -> KEY_UPDATE_REQUESTED;
            default -> refuse(Alert.ILLEGAL_PARAMETER, EndReason.MALFORMED_KEY_UPDATE);
        };
    }

    private int refuse(int alert, EndReason why) {
        reason = why;
        return -alert;
    }
}
