package dev.sluice.bench.results;

import java.util.Locale;

/**
 * The title of an experiment, split at its first colon.
 *
 * @param heading the subject, short enough for a heading
 * @param explanation the remainder as a sentence; empty without a colon
 */
record ExperimentTitle(String heading, String explanation) {
    private static final String SEPARATOR = ": ";

    /** Splits a title. */
    static ExperimentTitle of(String title) {
        int colon = title.indexOf(SEPARATOR);
        if (colon < 0) {
            return new ExperimentTitle(title, "");
        }
        String rest = title.substring(colon + SEPARATOR.length());
        return new ExperimentTitle(
                title.substring(0, colon), rest.substring(0, 1).toUpperCase(Locale.ROOT) + rest.substring(1) + ".");
    }
}
