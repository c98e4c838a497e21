package dev.sluice.bench.soak;

import java.util.Locale;
import java.util.Optional;

/**
 * Says whether memory stayed flat over a phase.
 *
 * <p>Data on established connections must allocate nothing. The limit is not 0 only since timers of the gateway, the JVM's
 * own threads, and code that is not compiled yet allocate a little now and then, whatever is carried; it is far below one
 * object for each message. Resident memory may grow by what the JIT compiler writes and by pages of pools that were
 * not touched before.
 */
final class SoakVerdict {
    /** Most bytes of heap allocated in a phase on established connections, from its second step on. */
    static final long ALLOCATED_BYTES_MAX = 512 * 1024;

    /** Most bytes by which resident memory may grow in a phase, from its first step on. */
    static final long RESIDENT_GROWTH_BYTES_MAX = 16L * 1024 * 1024;

    private static final double MIB = 1024.0 * 1024;

    private SoakVerdict() {}

    /**
     * Judges.
     *
     * @param first the memory after the phase's first step
     * @param last the memory at its end
     * @return what is wrong; empty: nothing
     */
    static Optional<String> judge(SoakPhase phase, Memory first, Memory last) {
        long grown = last.resident() - first.resident();
        if (grown > RESIDENT_GROWTH_BYTES_MAX) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%s: resident memory is not flat: it grew by %.1f MiB, from %.1f to %.1f (allowed: %.1f)",
                    phase.name(),
                    grown / MIB,
                    first.resident() / MIB,
                    last.resident() / MIB,
                    RESIDENT_GROWTH_BYTES_MAX / MIB));
        }
        long allocated = last.allocated() - first.allocated();
        if (!phase.perConnection() && allocated > ALLOCATED_BYTES_MAX) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "%s: %,d bytes of Java heap were allocated on established connections (allowed: %,d)",
                    phase.name(),
                    allocated,
                    ALLOCATED_BYTES_MAX));
        }
        return Optional.empty();
    }
}
