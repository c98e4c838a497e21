package dev.sluice.transfer.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A rule that includes or excludes paths by a pattern of bytes.
 *
 * <p>{@code *} and {@code ?} match within a name, {@code **} across slashes. A pattern with a slash other than at its
 * end matches the whole path from the root of the transfer; one without matches the last name at any depth. A final
 * slash limits it to directories.
 */
public final class FilterRule {
    /** The consequence of a match. */
    public enum Action {
        /** The path is sent. */
        INCLUDE,
        /** The path is not sent, nor anything below it. */
        EXCLUDE
    }

    /** The most bytes of a pattern. */
    public static final int PATTERN_BYTES_MAX = 1024;

    private final Action action;
    private final byte[] text;
    private final byte[] pattern;
    private final boolean directoriesOnly;
    private final boolean anchored;

    private FilterRule(Action action, byte[] text) {
        int from = 0;
        int to = text.length;
        this.directoriesOnly = to > 0 && text[to - 1] == '/';
        to -= directoriesOnly ? 1 : 0;
        boolean slash = false;
        for (int i = 0; i < to; i++) {
            slash |= text[i] == '/';
        }
        from += to > 0 && text[0] == '/' ? 1 : 0;
        if (from >= to || text.length > PATTERN_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "pattern=" + Names.printable(text) + "; use 1 to " + PATTERN_BYTES_MAX + " bytes besides slashes");
        }
        this.action = action;
        this.text = text.clone();
        this.pattern = Arrays.copyOfRange(text, from, to);
        this.anchored = slash;
    }

    /**
     * Creates a rule.
     *
     * @throws IllegalArgumentException for an empty or overlong pattern
     */
    public static FilterRule of(Action action, byte[] pattern) {
        return new FilterRule(action, pattern);
    }

    /** Creates a rule that includes. */
    public static FilterRule include(String pattern) {
        return new FilterRule(Action.INCLUDE, pattern.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates a rule that excludes. */
    public static FilterRule exclude(String pattern) {
        return new FilterRule(Action.EXCLUDE, pattern.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the consequence of a match. */
    public Action action() {
        return action;
    }

    /** Returns the pattern as it was given. */
    public byte[] pattern() {
        return text.clone();
    }

    /** Returns whether the rule applies to a path. */
    boolean matches(byte[] path, EntryKind kind) {
        if (directoriesOnly && kind != EntryKind.DIRECTORY) {
            return false;
        }
        int from = 0;
        if (!anchored) {
            for (int i = 0; i < path.length; i++) {
                from = path[i] == '/' ? i + 1 : from;
            }
        }
        return glob(path, from);
    }

    /** Matches by going back to the last star only, so that no pattern takes more than quadratic time; "**" apart. */
    private boolean glob(byte[] path, int from) {
        int p = 0;
        int s = from;
        int starPattern = -1;
        int starPath = -1;
        int deepPattern = -1;
        int deepPath = -1;
        while (s < path.length || p < pattern.length) {
            if (p < pattern.length && pattern[p] == '*') {
                if (p + 1 < pattern.length && pattern[p + 1] == '*') {
                    p += 2;
                    deepPattern = p;
                    deepPath = s;
                    starPattern = -1;
                    if (p < pattern.length && pattern[p] == '/' && (s == from || path[s - 1] == '/')) {
                        deepPattern = p;
                        p++;
                    }
                } else {
                    p++;
                    starPattern = p;
                    starPath = s;
                }
            } else if (s < path.length && p < pattern.length && matchesOne(pattern[p], path[s])) {
                p++;
                s++;
            } else if (starPattern >= 0 && starPath < path.length && path[starPath] != '/') {
                starPath++;
                s = starPath;
                p = starPattern;
            } else if (deepPattern >= 0 && deepPath < path.length) {
                deepPath++;
                s = deepPath;
                p = deepPattern;
                starPattern = -1;
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean matchesOne(byte wanted, byte actual) {
        return wanted == actual || (wanted == '?' && actual != '/');
    }
}
