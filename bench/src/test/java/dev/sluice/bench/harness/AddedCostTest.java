package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AddedCostTest {
    private static final Metric COST = Metric.cost("cost_micros", "CPU µs");
    private static final Identity OURS = Identity.of("ours", Role.SUBJECT);
    private static final Identity LEAN = Identity.of("lean", Role.PEER);
    private static final Identity FAT = Identity.of("fat", Role.PEER);
    private static final Identity FLOOR = Identity.of("bare", Role.FLOOR);

    private final Map<Identity, List<Sample>> samples = new LinkedHashMap<>();

    @Test
    void subtractsTheFloorOfTheSameRound() {
        took(OURS, 11, 22, 33);
        took(FAT, 16, 26, 36);
        took(LEAN, 14, 24, 34);
        took(FLOOR, 10, 20, 30);
        AddedCost added = AddedCost.of(result()).orElseThrow();
        assertThat(added.floor()).isEqualTo(FLOOR);
        assertThat(added.entries())
                .containsExactly(
                        new AddedCost.Entry(OURS, 2, Optional.of(0.5)),
                        new AddedCost.Entry(FAT, 6, Optional.of(1.5)),
                        new AddedCost.Entry(LEAN, 4, Optional.of(1.0)));
    }

    @Test
    void ignoresOneDisturbedRound() {
        took(OURS, 12, 12, 99);
        took(LEAN, 14, 14, 10);
        took(FLOOR, 10, 10, 10);
        assertThat(AddedCost.of(result()).orElseThrow().entries())
                .containsExactly(
                        new AddedCost.Entry(OURS, 2, Optional.of(0.5)), new AddedCost.Entry(LEAN, 4, Optional.of(1.0)));
    }

    @Test
    void hasNoShareOfNothing() {
        took(OURS, 12);
        took(LEAN, 9);
        took(FLOOR, 10);
        assertThat(AddedCost.of(result()).orElseThrow().entries())
                .containsExactly(
                        new AddedCost.Entry(OURS, 2, Optional.empty()),
                        new AddedCost.Entry(LEAN, -1, Optional.empty()));
    }

    @Test
    void isEmptyWithoutAFloor() {
        took(OURS, 1);
        took(LEAN, 1);
        assertThat(AddedCost.of(result())).isEmpty();
    }

    @Test
    void printsOneLine() {
        took(OURS, 12);
        took(LEAN, 14);
        took(FLOOR, 10);
        assertThat(new Report(Report.Style.TEXT)
                        .added("TLS", AddedCost.of(result()).orElseThrow()))
                .isEqualTo("What TLS adds to bare, in CPU µs (in parentheses: multiples of what it adds for the peer to"
                        + " which it adds least): ours 2.00 (0.50); lean 4.00 (1.00).\n");
    }

    private void took(Identity who, double... figures) {
        samples.put(
                who,
                Arrays.stream(figures)
                        .mapToObj(figure -> Sample.of(COST, figure))
                        .toList());
    }

    private ExperimentResult result() {
        int rounds = samples.values().iterator().next().size();
        Experiment experiment =
                new Experiment("x", "What it costs", COST, List.of(), List.of(), new Experiment.Plan(0, rounds));
        return new ExperimentResult(experiment, samples, Map.of(), new Summary(0, 0, 0, 0, rounds));
    }
}
