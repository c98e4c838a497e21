package dev.sluice.ffi.openssl;

import dev.sluice.ffi.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * Strings of OpenSSL that never change nor move, such as the names of versions and suites, made once and not for each
 * connection. May be used by any thread: entries are immutable, and one that another thread replaces is only made again.
 */
final class StaticTexts {
    /** A power of two; far more than there are suites in use. */
    private static final int SLOTS = 64;
    /** Strings lie some bytes apart: the low bits tell them apart badly, these well. */
    private static final int SHIFT = 3;

    private static final @Nullable Text[] TEXTS = new Text[SLOTS];

    private record Text(long address, String text) {}

    private StaticTexts() {}

    /** The string at an address of OpenSSL's constant data; "" at 0. */
    static String at(long address) {
        int slot = (int) (address >>> SHIFT) & (SLOTS - 1);
        Text known = TEXTS[slot];
        if (known == null || known.address != address) {
            known = new Text(address, RawMemory.getString(address));
            TEXTS[slot] = known;
        }
        return known.text;
    }
}
