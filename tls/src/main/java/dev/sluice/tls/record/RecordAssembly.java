package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;

/**
 * The assembly of records that are received in pieces.
 *
 * <p>A record is opened only when all of it lies in one buffer. The begin of one stays where it is, and the next
 * receive continues behind it; it moves only where the rest has no room there.
 *
 * <pre>
 *   | opened before | begin of a record | room, for the rest of it? |      yes: nothing moves
 *   | front | begin of a record |                              room |      no:  the begin moves to the front
 * </pre>
 *
 * <p>Reads lengths by headers, which are not checked here: {@link RecordChannel} does. Keeps nothing, and allocates
 * nothing.
 */
public final class RecordAssembly {
    private static final int LENGTH_OFFSET = 3;

    private RecordAssembly() {}

    /**
     * Returns the length of a record by its header.
     *
     * @param record its address; {@link RecordProtector#HEADER_BYTES} bytes are there at least
     */
    public static int recordBytes(long record) {
        int body = RawMemory.getShortBigEndian(record + LENGTH_OFFSET) & 0xFFFF;
        return RecordProtector.HEADER_BYTES + body;
    }

    /** Returns the length of the first record in a buffer by its header; 0 when the header is not complete. */
    public static int recordBytes(Slab buffer) {
        return buffer.length() < RecordProtector.HEADER_BYTES ? 0 : recordBytes(buffer.payloadAddress());
    }

    /**
     * Returns the number of bytes that the first record in a buffer, or else its header, lacks; 0 when it is complete.
     */
    public static int missingBytes(Slab buffer) {
        int length = buffer.length();
        int wanted = length < RecordProtector.HEADER_BYTES ? RecordProtector.HEADER_BYTES : recordBytes(buffer);
        return Math.max(0, wanted - length);
    }

    /**
     * Makes room behind the bytes of a buffer: the one place where received bytes may move.
     *
     * @param front where in the buffer they may begin at the earliest
     * @param bytes to be received behind them
     * @return the number of bytes that were moved; 0 as long as there is room
     */
    public static int makeRoom(Slab buffer, int front, int bytes) {
        int length = buffer.length();
        if (buffer.end() + bytes <= buffer.capacity() || buffer.start() <= front) {
            return 0;
        }
        RawMemory.copy(buffer.payloadAddress(), buffer.address() + front, length);
        buffer.window(front, front + length);
        return length;
    }
}
