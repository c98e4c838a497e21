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

    /** Most bytes of heap allocated from a connection's opening to its end. */
    static final int CONNECTION_BYTES_MAX = 4 * 1024;

    /** Most bytes by which resident memory may grow in a phase, from its first step on. */
    static final long RESIDENT_GROWTH_BYTES_MAX = 16L * 1024 * 1024;

    private static final double MIB = 1024.0 * 1024;

    private SoakVerdict() {}

    /**
     * Judges.
     *
     * @return what is wrong; empty: nothing
     */
    static Optional<String> judge(SoakPhase phase, MemorySeries series) {
        return resident(phase, series).or(() -> phase.perConnection() ? connection(series) : data(phase, series));
    }

    private static Optional<String> resident(SoakPhase phase, MemorySeries series) {
        long grown = series.residentGrowth();
        return grown <= RESIDENT_GROWTH_BYTES_MAX
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: resident memory is not flat: it grew by %.1f MiB from %.1f (allowed: %.1f)",
                        phase.name(),
                        grown / MIB,
                        series.first().resident() / MIB,
                        RESIDENT_GROWTH_BYTES_MAX / MIB));
    }

    private static Optional<String> data(SoakPhase phase, MemorySeries series) {
        return series.allocated() <= ALLOCATED_BYTES_MAX
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %,d bytes of Java heap were allocated on established connections (allowed: %,d), by %s",
                        phase.name(),
                        series.allocated(),
                        ALLOCATED_BYTES_MAX,
                        series.allocators()));
    }

    private static Optional<String> connection(MemorySeries series) {
        return series.typicalPerUnit() <= CONNECTION_BYTES_MAX
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "a connection allocates %,.0f bytes of Java heap from its opening to its end (allowed: %,d)",
                        series.typicalPerUnit(),
                        CONNECTION_BYTES_MAX));
    }
}
