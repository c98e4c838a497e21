package dev.sluice.ffi.zstd;

import dev.sluice.ffi.libc.RawMemory;

/**
 * A decompressor of frames of zstd in native memory, one after another on one context. For input that nobody vouches
 * for: it writes nothing beyond the contents expected, and its memory does not depend on the input. Allocates nothing
 * after its creation. Confined to one thread at a time.
 */
public final class ZstdDecompressor extends ZstdContext {
    /** The first four bytes of a frame (RFC 8878, section 3.1.1), as a number in the order of the processor. */
    private static final int MAGIC = 0xfd2f_b528;

    /**
     * Creates a decompressor.
     *
     * @throws ZstdNotFoundException when libzstd is absent
     */
    public ZstdDecompressor() {
        super(create(), "ZSTD_DCtx");
    }

    private static long create() {
        Zstd.require();
        return LibZstd.ZSTD_createDCtx();
    }

    /**
     * Decompresses exactly one frame, which declares the length of its contents.
     *
     * @param from the frame
     * @param frameLength of the frame in bytes
     * @param to the memory for the contents; it and the frame do not overlap
     * @param length of the contents in bytes
     * @return true when the contents are there; false when the input is anything but one valid frame with contents of
     *     this length, and what is in the memory then has no meaning
     */
    public boolean decompress(long from, int frameLength, long to, int length) {
        long context = address();
        return isOneFrame(from, frameLength)
                && LibZstd.ZSTD_getFrameContentSize(from, frameLength) == length
                && LibZstd.ZSTD_decompressDCtx(context, to, length, from, frameLength) == length;
    }

    /**
     * Returns whether memory is one frame of the current format. Otherwise libzstd would decompress several, pass over
     * skippable ones, and read the formats of its versions before 1.0.
     */
    private static boolean isOneFrame(long from, int frameLength) {
        return frameLength > Integer.BYTES
                && RawMemory.getInt(from) == MAGIC
                && LibZstd.ZSTD_findFrameCompressedSize(from, frameLength) == frameLength;
    }

    @Override
    void free(long nativeAddress) {
        LibZstd.ZSTD_freeDCtx(nativeAddress);
    }
}
