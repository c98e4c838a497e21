package dev.sluice.ffi.openssl.delegation;

import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.Arena;

/**
 * One entry of an {@code OSSL_DISPATCH} array, {@code <openssl/core.h>}: a function that a provider implements. An
 * entry with the id 0 ends the array.
 *
 * <pre>
 *   0             4       8          16
 *   +-------------+-------+----------+
 *   | function_id | (pad) | function |
 *   +-------------+-------+----------+
 * </pre>
 */
final class OsslDispatch {
    static final int BYTES = 16;
    static final int FUNCTION_ID_OFFSET = 0;
    static final int FUNCTION_OFFSET = 8;

    private OsslDispatch() {}

    /** A function with its number, {@code OSSL_FUNC_*}. */
    record Function(int id, long pointer) {}

    /** Returns the address of an array, which lives as long as the process. */
    static long array(Function... functions) {
        long array = Arena.global()
                .allocate((functions.length + 1L) * BYTES, Long.BYTES)
                .address();
        long entry = array;
        for (Function each : functions) {
            RawMemory.putInt(entry + FUNCTION_ID_OFFSET, each.id);
            RawMemory.putLong(entry + FUNCTION_OFFSET, each.pointer);
            entry += BYTES;
        }
        return array;
    }
}
