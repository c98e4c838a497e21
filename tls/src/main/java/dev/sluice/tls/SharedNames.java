package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * Names that come out of libssl as a new String for every connection and are nearly always the same few: version, suite,
 * ALPN, server name. Connections that hold equal names hold one String.
 *
 * <p>Bounded: a name takes the place of another with the same place, so that names that clients invent cannot pile up.
 * May be called from any thread, without a lock: a String is immutable, and losing a race costs one String.
 */
final class SharedNames {
    private static final int PLACES = 256; // a power of two
    private static final @Nullable String[] NAMES = new String[PLACES];

    private SharedNames() {}

    /** An equal String: the one that others hold too, if there is one. */
    static String of(String name) {
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
