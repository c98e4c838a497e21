package dev.sluice.jsse.socket;

import java.nio.ByteBuffer;

/**
 * A buffer over the array of the caller of a read or write. It is kept for the next call, since most callers pass the
 * same array again and again, and so allocate nothing. Confined to the holder of the direction's lock.
 */
final class CallerArray {
    /** The size of the largest array that is kept: larger ones would stay reachable while the connection idles. */
    private static final int KEPT_BYTES_MAX = 64 * 1024;

    private static final byte[] NONE = {};

    private byte[] keptArray = NONE;
    private ByteBuffer kept = ByteBuffer.wrap(NONE);

    /** Returns a buffer whose position is {@code offset} and whose limit is {@code offset + length}. */
    @SuppressWarnings("ReferenceEquality") // The same array, whatever it holds.
    ByteBuffer view(byte[] array, int offset, int length) {
        if (keptArray == array) {
            return kept.clear().position(offset).limit(offset + length);
        }
        ByteBuffer view = ByteBuffer.wrap(array, offset, length);
        if (array.length <= KEPT_BYTES_MAX) {
            keptArray = array;
            kept = view;
        }
        return view;
    }

    /** Forgets the last array. */
    void clear() {
        keptArray = NONE;
        kept = ByteBuffer.wrap(NONE);
    }
}
