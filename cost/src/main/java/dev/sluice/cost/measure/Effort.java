package dev.sluice.cost.measure;

import java.util.List;

/**
 * The thoroughness of a measurement.
 *
 * @param rounds counted rounds of each probe
 * @param operationNanos approximate duration of a round of one operation
 * @param handshakeNanos approximate duration of a round of one kind of handshake
 * @param memoryRounds rounds of the probes of memory
 * @param connections numbers of open connections for the probes of memory, ascending
 */
public record Effort(
        int rounds, long operationNanos, long handshakeNanos, int memoryRounds, List<Integer> connections) {
    /** About a minute. */
    public static final Effort FULL = new Effort(15, 12_000_000, 45_000_000, 3, List.of(100, 250, 500, 1000));

    /** About ten seconds. */
    public static final Effort QUICK = new Effort(5, 3_000_000, 12_000_000, 3, List.of(50, 100, 200));

    /**
     * A single round of everything, as short as possible, for tests. Memory is measured three times, and with a hundred
     * connections: fewer may take less than the JIT compilers return to malloc meanwhile.
     */
    public static final Effort ONCE = new Effort(1, 100_000, 100_000, 3, List.of(10, 100));

    /** Returns the same effort with another number of rounds. */
    public Effort withRounds(int count) {
        return new Effort(count, operationNanos, handshakeNanos, memoryRounds, connections);
    }
}
