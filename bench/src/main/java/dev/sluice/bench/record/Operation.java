package dev.sluice.bench.record;

import java.util.Locale;

/** The operations on a record. */
public enum Operation {
    /** Plaintext into a record. */
    SEAL("seal"),
    /** A record into plaintext. */
    OPEN("open"),
    /** One after the other. */
    BOTH("seal + open");

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    /** Returns the name for display. */
    public String title() {
        return title;
    }

    /** Returns the name in the measured processes. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
