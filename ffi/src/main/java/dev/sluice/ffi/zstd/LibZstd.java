package dev.sluice.ffi.zstd;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libzstd} (zstd.h), one method handle per C function, named after it. All are of its stable
 * API. Raw calls: pointers are {@code long} addresses, nothing is checked.
 */
@SuppressWarnings("MemberName") // named after the C symbols
final class LibZstd {
    private static final NativeLibrary LIBZSTD = Zstd.library();

    private LibZstd() {}

    private static final MethodHandle ZSTD_createCCtx = LIBZSTD.function("ZSTD_createCCtx", LONG);
    /** Calls {@code ZSTD_CCtx *ZSTD_createCCtx(void)}. */
    static long ZSTD_createCCtx() {
        try {
            return (long) ZSTD_createCCtx.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_createCCtx", t);
        }
    }

    private static final MethodHandle ZSTD_freeCCtx = LIBZSTD.function("ZSTD_freeCCtx", LONG, LONG);
    /** Calls {@code size_t ZSTD_freeCCtx(ZSTD_CCtx *context)}. */
    static void ZSTD_freeCCtx(long context) {
        try {
            long _ = (long) ZSTD_freeCCtx.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_freeCCtx", t);
        }
    }

    private static final MethodHandle ZSTD_compressCCtx =
            LIBZSTD.function("ZSTD_compressCCtx", LONG, LONG, LONG, LONG, LONG, LONG, INT);
    /**
     * Calls {@code size_t ZSTD_compressCCtx(ZSTD_CCtx *context, void *to, size_t capacity, const void *from, size_t
     * length, int level)}.
     */
    static long ZSTD_compressCCtx(long context, long to, long capacity, long from, long length, int level) {
        try {
            return (long) ZSTD_compressCCtx.invokeExact(context, to, capacity, from, length, (long) level);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_compressCCtx", t);
        }
    }

    private static final MethodHandle ZSTD_createDCtx = LIBZSTD.function("ZSTD_createDCtx", LONG);
    /** Calls {@code ZSTD_DCtx *ZSTD_createDCtx(void)}. */
    static long ZSTD_createDCtx() {
        try {
            return (long) ZSTD_createDCtx.invokeExact();
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_createDCtx", t);
        }
    }

    private static final MethodHandle ZSTD_freeDCtx = LIBZSTD.function("ZSTD_freeDCtx", LONG, LONG);
    /** Calls {@code size_t ZSTD_freeDCtx(ZSTD_DCtx *context)}. */
    static void ZSTD_freeDCtx(long context) {
        try {
            long _ = (long) ZSTD_freeDCtx.invokeExact(context);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_freeDCtx", t);
        }
    }

    private static final MethodHandle ZSTD_decompressDCtx =
            LIBZSTD.function("ZSTD_decompressDCtx", LONG, LONG, LONG, LONG, LONG, LONG);
    /**
     * Calls {@code size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *to, size_t capacity, const void *from, size_t
     * length)}.
     */
    static long ZSTD_decompressDCtx(long context, long to, long capacity, long from, long length) {
        try {
            return (long) ZSTD_decompressDCtx.invokeExact(context, to, capacity, from, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_decompressDCtx", t);
        }
    }

    private static final MethodHandle ZSTD_findFrameCompressedSize =
            LIBZSTD.function("ZSTD_findFrameCompressedSize", LONG, LONG, LONG);
    /** Calls {@code size_t ZSTD_findFrameCompressedSize(const void *from, size_t length)}. */
    static long ZSTD_findFrameCompressedSize(long from, long length) {
        try {
            return (long) ZSTD_findFrameCompressedSize.invokeExact(from, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_findFrameCompressedSize", t);
        }
    }

    private static final MethodHandle ZSTD_getFrameContentSize =
            LIBZSTD.function("ZSTD_getFrameContentSize", LONG, LONG, LONG);
    /** Calls {@code unsigned long long ZSTD_getFrameContentSize(const void *from, size_t length)}. */
    static long ZSTD_getFrameContentSize(long from, long length) {
        try {
            return (long) ZSTD_getFrameContentSize.invokeExact(from, length);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_getFrameContentSize", t);
        }
    }

    private static final MethodHandle ZSTD_getErrorName = LIBZSTD.function("ZSTD_getErrorName", LONG, LONG);
    /** Calls {@code const char *ZSTD_getErrorName(size_t result)}. */
    static long ZSTD_getErrorName(long result) {
        try {
            return (long) ZSTD_getErrorName.invokeExact(result);
        } catch (Throwable t) {
            throw NativeLibrary.impossible("ZSTD_getErrorName", t);
        }
    }
}
