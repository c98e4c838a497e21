package dev.sluice.ffi.libc;

import org.jspecify.annotations.Nullable;

/**
 * A cache of a library's constant strings, such as OpenSSL's names of versions and suites, decoded once instead of
 * per connection. Thread-safe: entries are immutable, and an entry replaced by another thread is only decoded again.
 */
public final class StaticTexts {
    /** A power of two, far above the number of suites in use. */
    private static final int SLOTS = 64;
    /** The strings are some bytes apart, so the low address bits are poor hash bits; these are good. */
    private static final int SHIFT = 3;

    private static final @Nullable Text[] TEXTS = new Text[SLOTS];

    private record Text(long address, String text) {}

    private StaticTexts() {}

    /** Returns the string at an address of constant data; "" at 0. */
    public static String at(long address) {
        int slot = (int) (address >>> SHIFT) & (SLOTS - 1);
        Text known = TEXTS[slot];
        if (known == null || known.address != address) {
            known = new Text(address, RawMemory.getString(address));
            TEXTS[slot] = known;
        }
        return known.text;
    }
}
