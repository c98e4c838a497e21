package dev.sluice.transfer.tree;

import java.util.Arrays;
import java.util.List;

/**
 * Rules in order: the first one that matches decides, and what none matches is included. What is below an excluded
 * directory is excluded.
 *
 * @param rules at most {@link #RULES_MAX}
 */
public record Filters(List<FilterRule> rules) {
    /** The most rules. */
    public static final int RULES_MAX = 1024;

    /** No rules. */
    public static final Filters NONE = new Filters(List.of());

    /** Checks the number. */
    public Filters {
        rules = List.copyOf(rules);
        if (rules.size() > RULES_MAX) {
            throw new IllegalArgumentException("rules=" + rules.size() + "; use at most " + RULES_MAX);
        }
    }

    /** Returns whether a path is sent, provided that its directory is. */
    public boolean includes(byte[] path, EntryKind kind) {
        for (FilterRule rule : rules) {
            if (rule.matches(path, kind)) {
                return rule.action() == FilterRule.Action.INCLUDE;
            }
        }
        return true;
    }

    /** Returns whether a file and all its directories are sent. */
    public boolean includesFile(byte[] path) {
        if (rules.isEmpty()) {
            return true;
        }
        for (int i = 0; i < path.length; i++) {
            if (path[i] == '/' && !includes(Arrays.copyOf(path, i), EntryKind.DIRECTORY)) {
                return false;
            }
        }
        return includes(path, EntryKind.FILE);
    }
}
