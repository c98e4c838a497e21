package dev.sluice.cost.measure;

import java.util.List;

/**
 * How thoroughly is measured.
 *
 * @param rounds that count, of each probe
 * @param operationNanos about how long a round of one operation takes
 * @param handshakeNanos about how long a round of one kind of handshake takes
 * @param memoryRounds rounds of the probes of memory
 * @param connections how many are held for the probes of memory, ascending
 */
public record Effort(
        int rounds, long operationNanos, long handshakeNanos, int memoryRounds, List<Integer> connections) {
    /** About a minute. */
    public static final Effort FULL = new Effort(15, 12_000_000, 45_000_000, 3, List.of(100, 250, 500, 1000));

    /** About ten seconds. */
    public static final Effort QUICK = new Effort(5, 3_000_000, 12_000_000, 3, List.of(50, 100, 200));

    /** For tests: everything once, as short as can be. */
    public static final Effort ONCE = new Effort(1, 100_000, 100_000, 1, List.of(10, 20));

    /** The same with another number of rounds. */
    public Effort withRounds(int count) {
        return new Effort(count, operationNanos, handshakeNanos, memoryRounds, connections);
    }
}
