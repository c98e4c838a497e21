package dev.sluice.ffi.openssl.delegation;

import dev.sluice.ffi.libc.RawMemory;
import java.lang.foreign.Arena;

/**
 * One entry of an {@code OSSL_ALGORITHM} array, {@code <openssl/core.h>}: an algorithm that a provider implements. An
 * entry with NULL names ends the array.
 *
 * <pre>
 *   0                 8                     16               24                      32
 *   +-----------------+---------------------+----------------+-----------------------+
 *   | algorithm_names | property_definition | implementation | algorithm_description |
 *   +-----------------+---------------------+----------------+-----------------------+
 * </pre>
 */
final class OsslAlgorithm {
    static final int BYTES = 32;
    static final int NAMES_OFFSET = 0;
    static final int PROPERTIES_OFFSET = 8;
    static final int IMPLEMENTATION_OFFSET = 16;
    static final int DESCRIPTION_OFFSET = 24;

    private OsslAlgorithm() {}

    /**
     * An algorithm.
     *
     * @param names its names and object identifiers, separated by colons, the usual one first
     * @param implementation address of an {@link OsslDispatch} array
     */
    record Entry(String names, long implementation) {}

    /** Returns the address of an array, which lives as long as the process. */
    static long array(String properties, Entry... algorithms) {
        Arena arena = Arena.global();
        long definition = arena.allocateFrom(properties).address();
        long array =
                arena.allocate((algorithms.length + 1L) * BYTES, Long.BYTES).address();
        long entry = array;
        for (Entry each : algorithms) {
            RawMemory.putLong(
                    entry + NAMES_OFFSET, arena.allocateFrom(each.names).address());
            RawMemory.putLong(entry + PROPERTIES_OFFSET, definition);
            RawMemory.putLong(entry + IMPLEMENTATION_OFFSET, each.implementation);
            entry += BYTES;
        }
        return array;
    }
}
