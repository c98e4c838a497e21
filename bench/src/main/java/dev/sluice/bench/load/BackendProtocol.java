package dev.sluice.bench.load;

import java.nio.ByteBuffer;

/**
 * The client's request to the backend through the server under test: one byte for the mode, eight bytes for the amount
 * (big-endian). A finished source or sink accepts another request.
 */
public final class BackendProtocol {
    /** Send so many bytes. */
    static final byte SOURCE = 'S';

    /** Consume so many bytes, then answer one byte. */
    static final byte SINK = 'K';

    /** Echo everything; the amount is ignored. */
    static final byte ECHO = 'E';

    /** Size of the request. */
    static final int HEADER_BYTES = 9;

    private BackendProtocol() {}

    /** Returns a request, ready to send, followed by some zero bytes of payload. */
    static ByteBuffer header(byte what, long amount, int payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload)
                .put(what)
                .putLong(amount)
                .position(0);
    }

    /** Returns a request for an echo, with a first message of zeros. */
    public static byte[] echoHeader(int messageBytes) {
        return header(ECHO, 0, messageBytes).array();
    }
}
