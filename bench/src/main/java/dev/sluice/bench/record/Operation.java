package dev.sluice.bench.record;

import java.util.Locale;

/** What is done with a record. */
enum Operation {
    SEAL("seal"),
    OPEN("open"),
    BOTH("seal + open");

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** As the processes that are measured know it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
