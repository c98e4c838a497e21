package dev.sluice.bench.load;

import java.nio.ByteBuffer;

/**
 * What the client tells the backend first, through whatever stands between: one byte what to do, eight bytes how much
 * (big-endian). A source or sink that is done may be told again.
 */
public final class BackendProtocol {
    /** Send so many bytes, then nothing more. */
    static final byte SOURCE = 'S';

    /** Swallow so many bytes, then answer one byte. */
    static final byte SINK = 'K';

    /** Send everything back; the amount means nothing. */
    static final byte ECHO = 'E';

    /** Length of what is told. */
    static final int HEADER_BYTES = 9;

    private BackendProtocol() {}

    /** A header, ready to send, followed by some zero bytes of payload. */
    static ByteBuffer header(byte what, long amount, int payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload)
                .put(what)
                .putLong(amount)
                .position(0);
    }

    /** What asks for an echo, and a first message of zeros. */
    public static byte[] echoHeader(int messageBytes) {
        return header(ECHO, 0, messageBytes).array();
    }
}
