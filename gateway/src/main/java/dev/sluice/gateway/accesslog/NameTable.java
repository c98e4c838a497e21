package dev.sluice.gateway.accesslog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for the few names that stand in the entries of many connections: suites, backends, reasons. What clients
 * invent does not belong here. May be used from any thread; asking for a name that is known allocates nothing and takes
 * no lock.
 */
final class NameTable {
    /** The number that stands for no name. */
    static final char NONE = 0;

    /** Stands for all names when there are too many, as after thousands of reloads with new ones. */
    static final String TOO_MANY = "(too many names)";

    private static final int NAMES_MAX = 1 << 12;

    private final Map<String, Character> numbers = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable String> names = new AtomicReferenceArray<>(NAMES_MAX);
    private int used = 1;

    NameTable() {
        numberOf(TOO_MANY);
    }

    /** The number of a name; {@link #NONE} of "". */
    char numberOf(String name) {
        if (name.isEmpty()) {
            return NONE;
        }
        Character known = numbers.get(name);
        return known != null ? known : add(name);
    }

    private synchronized char add(String name) {
        Character known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (used == NAMES_MAX) {
            return numberOf(TOO_MANY);
        }
        char number = (char) used++;
        names.set(number, name);
        numbers.put(name, number);
        return number;
    }

    /** The name of a number that was given out; "" of {@link #NONE}. */
    String name(int number) {
        String name = names.get(number);
        return name == null ? "" : name;
    }
}
