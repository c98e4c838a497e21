package dev.sluice.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import org.junit.jupiter.api.Test;

class FindingTest {
    private static final Identity FLOOR = Identity.of("plain", Role.FLOOR);

    private static String finding(Runs run) {
        return Finding.of(run.file().rows()).sentence();
    }

    private static Runs run() {
        return new Runs(1, 0, 5);
    }

    @Test
    void comparesTheBestOfOursWithTheBestPeer() {
        Runs run = run().add("x", Identity.of("Sluice on epoll", Role.SUBJECT), Runs.COST, 9)
                .add("x", Runs.OURS, Runs.COST, 5)
                .add("x", Identity.of("HAProxy", Role.PEER), Runs.COST, 20)
                .add("x", Runs.PEER, Runs.COST, 10)
                .add("x", FLOOR, Runs.COST, 1);

        assertThat(finding(run)).isEqualTo("Ahead of nginx, the best peer: Sluice has 0.50 × (0.50 to 0.50) its µs.");
    }

    @Test
    void aLowerRateIsBehind() {
        Runs run = run().add("x", Runs.OURS, Runs.RATE, 5).add("x", Runs.PEER, Runs.RATE, 10);

        assertThat(finding(run)).startsWith("Behind nginx, the best peer: Sluice has 0.50 ×");
    }

    @Test
    void aDifferenceWithinTheNoiseIsNone() {
        Runs run = run().control(1.2).add("x", Runs.OURS, Runs.COST, 10).add("x", Runs.PEER, Runs.COST, 11);

        assertThat(finding(run)).startsWith("No difference beyond noise to nginx, the best peer: Sluice has");
    }

    @Test
    void oneRoundDecidesNothing() {
        Runs run = new Runs(1, 0, 1).add("x", Runs.OURS, Runs.COST, 5).add("x", Runs.PEER, Runs.COST, 10);

        assertThat(finding(run)).isEqualTo("One round beside nginx, the best peer: Sluice has 0.50 × its µs.");
    }

    @Test
    void comparesWithTheFloorWithoutAPeer() {
        Runs run = run().add("x", Runs.OURS, Runs.COST, 12).add("x", FLOOR, Runs.COST, 10);

        assertThat(finding(run)).isEqualTo("Sluice: 1.20 × (1.20 to 1.20) the µs of plain, the floor.");
    }

    @Test
    void statesTheRangeOfRowsWithoutAReference() {
        Metric cost = Runs.COST;
        Runs run = run().add("x", Runs.OURS, cost, 12).add("x", Identity.of("resumed", Role.SUBJECT), cost, 3);

        assertThat(finding(run)).isEqualTo("From 3.00 µs (resumed) to 12.0 (Sluice).");
        assertThat(finding(run().add("x", Runs.OURS, cost, 12))).isEqualTo("Sluice: 12.0 µs.");
    }
}
