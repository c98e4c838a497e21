package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The calling thread's error queue in OpenSSL. */
public final class ErrorQueue {
    private static final int TEXT_BYTES = 256;

    private ErrorQueue() {}

    /** Clears the queue, before an operation whose errors matter. */
    public static void clear() {
        LibCrypto.ERR_clear_error();
    }

    /** Returns whether there is no error. */
    public static boolean isEmpty() {
        return LibCrypto.ERR_peek_error() == 0;
    }

    /** Removes and returns all errors, the root cause first. */
    public static List<OpenSslError> drain() {
        if (isEmpty()) {
            return List.of();
        }
        List<OpenSslError> errors = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment flags = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment text = arena.allocate(TEXT_BYTES);
            long code = next(data, flags);
            while (code != 0) {
                LibCrypto.ERR_error_string_n(code, text.address(), TEXT_BYTES);
                errors.add(new OpenSslError(code, text.getString(0), dataText(data, flags)));
                code = next(data, flags);
            }
        }
        return errors;
    }

    private static long next(MemorySegment data, MemorySegment flags) {
        return LibCrypto.ERR_get_error_all(0, 0, 0, data.address(), flags.address());
    }

    private static String dataText(MemorySegment data, MemorySegment flags) {
        boolean isText = (flags.get(ValueLayout.JAVA_INT, 0) & OpenSslConstants.ERR_TXT_STRING) != 0;
        return isText ? RawMemory.getString(data.get(ValueLayout.JAVA_LONG, 0)) : "";
    }
}
