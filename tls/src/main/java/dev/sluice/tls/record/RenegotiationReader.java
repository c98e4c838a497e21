package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.failure.EndReason;

/**
 * A reader of the messages that may follow a TLS 1.2 handshake: the request for another one, a ClientHello to a server
 * and a HelloRequest to a client (RFC 5246 section 7.4.1). Every other message is unexpected. Type and length are
 * checked as soon as they arrive, and the body is skipped.
 */
public final class RenegotiationReader implements HandshakeMessageReader {
    /** The longest ClientHello that is skipped, the same limit as libssl's (CLIENT_HELLO_MAX_LENGTH). */
    static final int MAX_CLIENT_HELLO_BYTES = 131_396;

    private static final int TYPE_HELLO_REQUEST = 0; // RFC 5246 section 7.4
    private static final int TYPE_CLIENT_HELLO = 1;
    private static final int HEADER_BYTES = 4;
    private static final int LENGTH_MASK = 0xFFFFFF;

    private final int allowedType;
    private final int maxBodyBytes;
    private EndReason reason = EndReason.UNEXPECTED_MESSAGE;

    /** The header bytes so far, big-endian. */
    private int header;

    private byte headerBytes;
    private int bodyMissing;

    /** Creates a reader of what a client sends to a server, or a server to a client. */
    public RenegotiationReader(boolean server) {
        this.allowedType = server ? TYPE_CLIENT_HELLO : TYPE_HELLO_REQUEST;
        this.maxBodyBytes = server ? MAX_CLIENT_HELLO_BYTES : 0;
    }

    @Override
    public boolean isInsideMessage() {
        return headerBytes > 0;
    }

    @Override
    public EndReason reason() {
        return reason;
    }

    /**
     * Reads the content of one record. Several requests in one record count as one; a request counts in the record that
     * completes its header.
     */
    @Override
    public int read(long content, int length) {
        if (length == 0) {
            return refuse(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE); // RFC 5246 section 6.2.1
        }
        int result = NOTHING;
        int at = 0;
        while (at < length) {
            if (headerBytes == HEADER_BYTES) {
                at += passOver(length - at);
                continue;
            }
            int read = headerByte(RawMemory.getByte(content + at++) & 0xFF);
            if (read < 0) {
                return read;
            }
            result = Math.max(result, read);
        }
        return result;
    }

    private int headerByte(int value) {
        if (headerBytes == 0 && value != allowedType) {
            return refuse(Alert.UNEXPECTED_MESSAGE, EndReason.UNEXPECTED_MESSAGE);
        }
        header = (header << Byte.SIZE) | value;
        if (++headerBytes < HEADER_BYTES) {
            return NOTHING;
        }
        bodyMissing = header & LENGTH_MASK;
        if (bodyMissing > maxBodyBytes) {
            return refuse(Alert.ILLEGAL_PARAMETER, EndReason.MESSAGE_TOO_LONG);
        }
        endMessageIfComplete();
        return RENEGOTIATION;
    }

    private int passOver(int available) {
        int now = Math.min(bodyMissing, available);
        bodyMissing -= now;
        endMessageIfComplete();
        return now;
    }

    private void endMessageIfComplete() {
        if (bodyMissing == 0) {
            header = 0;
            headerBytes = 0;
        }
    }

    private int refuse(int alert, EndReason why) {
        reason = why;
        return -alert;
    }
}
