package dev.sluice.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
    private static final double NOISE = 0.02;
    private static final int ROWS = 100;

    private static Runs run(long seed, int rounds, double factor) {
        Runs run = new Runs(seed, NOISE, rounds);
        for (int row = 0; row < ROWS; row++) {
            run.add("x" + row, Runs.OURS, Runs.COST, row == 0 ? 10 * factor : 10);
        }
        return run;
    }

    private static Comparison compare(Runs before, Runs after) {
        return Comparison.of(before.results(), after.results(), Comparison.THRESHOLD);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsASlowdownOfTenPercentAndNothingElse(long seed) {
        Comparison comparison = compare(run(seed, 11, 1), run(seed + 100, 11, 1.1));

        assertThat(comparison.regressions())
                .extracting(change -> change.after().experiment())
                .containsExactly("x0");
        assertThat(comparison.text()).contains("Rows of Sluice: 1 worse, 0 better, 99 without a change beyond noise.");
    }

    @ParameterizedTest
    @CsvSource({"11, 11", "12, 5", "13, 21", "14, 7"})
    void findsNothingBetweenEqualRuns(long seed, int rounds) {
        Comparison comparison = compare(run(seed, rounds, 1), run(seed + 100, rounds, 1));

        assertThat(comparison.changes()).hasSize(ROWS).allMatch(change -> change.verdict() == Change.Verdict.SAME);
    }

    @Test
    void anIdenticalRunHasNoChange() {
        assertThat(compare(run(1, 11, 1), run(1, 11, 1)).changes()).allMatch(change -> change.ratio() == 1);
    }

    @Test
    void lowerRatesAreWorseAndLowerCostsAreBetter() {
        Runs before = new Runs(1, NOISE, 11).add("x", Runs.OURS, Runs.COST, 10).add("x", Runs.OURS, Runs.RATE, 10);
        Runs after = new Runs(2, NOISE, 11).add("x", Runs.OURS, Runs.COST, 8).add("x", Runs.OURS, Runs.RATE, 8);

        assertThat(compare(before, after).changes())
                .extracting(Change::verdict)
                .containsExactly(Change.Verdict.BETTER, Change.Verdict.WORSE);
    }

    @Test
    void aChangeWithinTheNoiseOfAControlIsNone() {
        Comparison comparison = compare(run(1, 11, 1), disturbed(1.1));

        assertThat(comparison.regressions()).isEmpty();
    }

    private static Runs disturbed(double factor) {
        return new Runs(101, NOISE, 11).control(0.85).add("x0", Runs.OURS, Runs.COST, 10 * factor);
    }

    @Test
    void fewRoundsAreUndecided() {
        Comparison comparison = compare(run(1, 3, 1), run(2, 3, 2));

        assertThat(comparison.changes()).allMatch(change -> change.verdict() == Change.Verdict.UNDECIDED);
        assertThat(comparison.text()).contains("100 undecided (fewer than 5 rounds");
    }

    @Test
    void peersAreReportedButNotJudged() {
        Runs before = new Runs(1, NOISE, 11).add("x", Runs.PEER, Runs.COST, 10);
        Runs after = new Runs(2, NOISE, 11).add("x", Runs.PEER, Runs.COST, 20);
        Comparison comparison = compare(before, after);

        assertThat(comparison.regressions()).isEmpty();
        assertThat(comparison.text()).contains("Changed beside that", "Peers and floors changed by +");
    }

    @Test
    void anAllocationWhereThereWasNoneIsWorse() {
        Runs before = new Runs(1, 0, 11).add("x", Runs.OURS, Runs.COST, 0);
        Runs after = new Runs(1, 0, 11).add("x", Runs.OURS, Runs.COST, 24);

        assertThat(compare(before, after).regressions()).hasSize(1);
        assertThat(compare(before, before).regressions()).isEmpty();
    }

    @Test
    void rowsOfOneRunAreNamed() {
        Runs before = new Runs(1, NOISE, 11).add("gone", Runs.OURS, Runs.COST, 10);
        Runs after = new Runs(1, NOISE, 11).add("new", Runs.OURS, Runs.COST, 10);
        Comparison comparison = compare(before, after);

        assertThat(comparison.isEmpty()).isTrue();
        assertThat(comparison.text())
                .contains("echo: only in the first run: gone, Sluice, µs", "only in the second run: new, Sluice, µs");
    }

    @Test
    void anotherMachineIsNamed() {
        ResultFile other = file(Map.of("CPU", "two"), List.of());

        assertThat(Comparison.of(new Runs(1, 0, 5).results(), Map.of("echo", other), 0)
                        .text())
                .contains("another CPU", "one; then two");
    }

    @Test
    void aCheckThatFailsWhereItHeldIsAFault() {
        Map<String, ResultFile> held = Map.of("echo", file(Map.of(), List.of()));
        Map<String, ResultFile> failed = Map.of("echo", file(Map.of(), List.of("heap grew")));

        assertThat(Comparison.of(held, failed, 0).faults()).containsExactly("echo: heap grew");
        assertThat(Comparison.of(failed, failed, 0).faults()).isEmpty();
    }

    private static ResultFile file(Map<String, String> facts, List<String> faults) {
        return new ResultFile(
                new Origin("echo", "./sluice bench echo", "abc", Instant.EPOCH),
                facts,
                List.of(),
                List.of(),
                Optional.of(new ResultFile.Verdict(faults)));
    }

    @Test
    void metricsBesideTheHeadlineAreJudgedOnlyWithARatio() {
        assertThat(beside(Runs.COST).judged()).isFalse();
        assertThat(beside(Runs.COST.withRatio()).judged()).isTrue();
    }

    private static ResultRow beside(Metric metric) {
        Identity who = Runs.OURS;
        return new ResultRow(
                "x", "X", who, metric, false, Optional.empty(), List.of(1.0), new ResultRow.Noise(0, Optional.empty()));
    }
}
