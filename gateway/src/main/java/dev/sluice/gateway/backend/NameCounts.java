package dev.sluice.gateway.backend;

import java.util.concurrent.atomic.LongAdder;

/** The counts of the lookups of a backend's names, under all configurations. Thread-safe. */
public final class NameCounts {
    private final LongAdder lookups = new LongAdder();
    private final LongAdder failures = new LongAdder();

    NameCounts() {}

    /** Counts a lookup of a name, which may take several questions. */
    void lookup() {
        lookups.increment();
    }

    /** Counts a lookup that has failed, in part or altogether. */
    void failure() {
        failures.increment();
    }

    /** Returns the number of lookups. */
    public long lookups() {
        return lookups.sum();
    }

    /** Returns the number of those that have failed. */
    public long failures() {
        return failures.sum();
    }
}
