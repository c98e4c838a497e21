package dev.sluice.tls.lean;

import dev.sluice.ffi.libc.RawMemory;

/**
 * A comparison of the client's Finished (RFC 8446 section 4.4.4) with the expected one, in pieces as records deliver
 * it. Holds no byte of it, and takes the same time wherever the two differ.
 */
public final class FinishedReader {
    /** The results of {@link #read}. */
    public enum Result {
        /** More bytes must follow. */
        INCOMPLETE,
        /** The message is the expected one. */
        VERIFIED,
        /** The message has another verify_data. */
        MISMATCH,
        /** The message is none or not a Finished. */
        UNEXPECTED,
        /** The message has another length. */
        MALFORMED,
        /** Bytes follow the message in its record, whose keys end with it (RFC 8446 section 5.1). */
        EXCESS
    }

    private static final int FINISHED = 20;
    private static final int HEADER_BYTES = 4;

    private final int verifyBytes;
    private int at;
    private int difference;

    /**
     * Creates a reader.
     *
     * @param verifyBytes the size of the hash
     */
    public FinishedReader(int verifyBytes) {
        this.verifyBytes = verifyBytes;
    }

    /** Returns whether a part of the message was read. */
    public boolean isInsideMessage() {
        return at > 0;
    }

    /**
     * Reads the content of a handshake record.
     *
     * @param block the connection's {@link HandshakeSecrets}
     */
    public Result read(long content, int length, long block) {
        if (length == 0) {
            return Result.UNEXPECTED; // RFC 8446 section 5.1: no empty fragments of handshake messages
        }
        long expected = HandshakeSecrets.expectedFinished(block);
        for (int i = 0; i < length; i++, at++) {
            int value = RawMemory.getByte(content + i) & 0xFF;
            if (at >= HEADER_BYTES + verifyBytes) {
                return Result.EXCESS;
            } else if (at >= HEADER_BYTES) {
                difference |= value ^ (RawMemory.getByte(expected + at - HEADER_BYTES) & 0xFF);
            } else if (at == 0 && value != FINISHED) {
                return Result.UNEXPECTED;
            } else if (at > 0 && value != (at == HEADER_BYTES - 1 ? verifyBytes : 0)) {
                return Result.MALFORMED;
            }
        }
        if (at < HEADER_BYTES + verifyBytes) {
            return Result.INCOMPLETE;
        }
        return difference == 0 ? Result.VERIFIED : Result.MISMATCH;
    }
}
