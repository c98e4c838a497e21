package dev.sluice.bench.soak;

import java.util.Locale;
import java.util.Optional;

/**
 * The verdict whether memory stayed flat over a phase.
 *
 * <p>Data on established connections must allocate nothing. The limit is above 0 only because timers of the gateway,
 * the JVM's own threads and uncompiled code occasionally allocate a little, independent of the load; it is far below
 * one object per message. Resident memory may grow by the JIT compiler's output and by untouched pages of pools.
 */
final class SoakVerdict {
    /** The maximum heap bytes allocated in a phase on established connections, from its second step on. */
    static final long ALLOCATED_BYTES_MAX = 512 * 1024;

    /** The maximum heap bytes allocated per connection, from its opening to its end. */
    static final int CONNECTION_BYTES_MAX = 4 * 1024;

    /** The maximum growth of resident memory in a phase, from its first step on. */
    static final long RESIDENT_GROWTH_BYTES_MAX = 16L * 1024 * 1024;

    private static final double MIB = 1024.0 * 1024;

    private SoakVerdict() {}

    /**
     * Judges a phase.
     *
     * @return the failure; empty for none
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
