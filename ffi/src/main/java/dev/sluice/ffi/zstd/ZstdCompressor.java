package dev.sluice.ffi.zstd;

import dev.sluice.ffi.libc.RawMemory;

/**
 * A compressor of native memory to frames of zstd, one after another on one context. libzstd allocates the memory of
 * the context, one or two MB at the usual levels, with the first frame, and keeps it; no frame allocates on the heap.
 * Confined to one thread at a time.
 */
public final class ZstdCompressor extends ZstdContext {
    /** The error of a frame that does not fit (ZSTD_error_dstSize_tooSmall of zstd_errors.h). */
    private static final long TOO_SMALL = -70;

    private final int level;

    /**
     * Creates a compressor.
     *
     * @param level 1 to 19: the higher, the smaller and the slower
     * @throws ZstdNotFoundException when libzstd is absent
     */
    public ZstdCompressor(int level) {
        super(create(), "ZSTD_CCtx");
        this.level = level;
    }

    private static long create() {
        Zstd.require();
        return LibZstd.ZSTD_createCCtx();
    }

    /**
     * Compresses memory to one frame, which declares the length of its contents.
     *
     * @param from the contents
     * @param length of the contents in bytes
     * @param to the memory for the frame; it and the contents do not overlap
     * @param capacity of that memory in bytes
     * @return the length of the frame; 0 when it does not fit
     */
    public int compress(long from, int length, long to, int capacity) {
        long result = LibZstd.ZSTD_compressCCtx(address(), to, capacity, from, length, level);
        if (result == TOO_SMALL) {
            return 0;
        }
        if (isError(result)) {
            throw new IllegalStateException(
                    "zstd: compression failed (" + RawMemory.getString(LibZstd.ZSTD_getErrorName(result)) + "); length="
                            + length + ", level=" + level);
        }
        return (int) result;
    }

    @Override
    void free(long nativeAddress) {
        LibZstd.ZSTD_freeCCtx(nativeAddress);
    }
}
