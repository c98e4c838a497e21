package dev.sluice.tls.context;

import org.jspecify.annotations.Nullable;

/**
 * An intern table for names that libssl returns as a new String per connection and that are nearly always the same:
 * version, suite, ALPN, server name. Connections with equal names share one String.
 *
 * <p>Bounded: a name replaces another in the same slot, so that names invented by clients cannot accumulate. May be
 * called from any thread, without a lock: a String is immutable, and a lost race costs one String.
 */
public final class SharedNames {
    private static final int PLACES = 256; // a power of two
    private static final @Nullable String[] NAMES = new String[PLACES];

    private SharedNames() {}

    /** Returns an equal String, shared if possible. */
    public static String of(String name) {
        if (name.isEmpty()) {
            return "";
        }
        int hash = name.hashCode();
        int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
        String held = NAMES[place];
        if (held != null && held.equals(name)) {
            return held;
        }
        NAMES[place] = name;
        return name;
    }
}
