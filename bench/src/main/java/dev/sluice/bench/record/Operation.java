package dev.sluice.bench.record;

import java.util.Locale;

/** The operations on a record. */
enum Operation {
    SEAL("seal"),
    OPEN("open"),
    BOTH("seal + open");

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    /** Returns the name for display. */
    String title() {
        return title;
    }

    /** Returns the name in the measured processes. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
