package dev.sluice.config.yaml;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Suggestions for mistyped names. */
public final class NearestName {
    private NearestName() {}

    /** Returns "; did you mean \"x\"?" when a known name is near, else "; known are a, b, c". */
    public static String hint(String name, Collection<String> known) {
        String nearest = of(name, known);
        return nearest == null ? "; known are " + String.join(", ", known) : "; did you mean \"" + nearest + "\"?";
    }

    /** Returns the known name with the fewest edits; null when none is within a third of the name's length plus one. */
    static @Nullable String of(String name, Collection<String> known) {
        String nearest = null;
        int fewest = name.length() / 3 + 2;
        for (String candidate : known) {
            int edits = distance(name, candidate);
            if (edits < fewest) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Returns Levenshtein's distance: the number of insertions, deletions and replacements. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        int[] current = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[to.length()];
    }
}
