package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
    private static final Metric COST = Metric.cost("cost_seconds", "CPU s");
    private static final Metric RATE = Metric.rate("per_second", "per s");

    @Test
    void printsATextTable() {
        assertThat(new Report(Report.Style.TEXT).experiment(result()))
                .isEqualTo("""
                        What it costs

                                      CPU s  ± MAD  × best peer    min … max  × bare   per s
                        ours          0.500  0.000         0.50  0.50 … 0.50    2.00  12,345
                        peer           1.00  0.000         1.00  1.00 … 1.00    4.00    50.0
                        bare (floor)  0.250  0.000         0.25  0.25 … 0.25    1.00    1.00
                        """
                        + "\nOne round. No control ran, so the noise floor is unknown. Others used 0.10 of a core"
                        + " meanwhile (most: 0.30).\n"
                        + "Left out: gone: it broke\n");
    }

    @Test
    void printsAMarkdownTable() {
        assertThat(new Report(Report.Style.MARKDOWN).experiment(result()))
                .contains("### What it costs\n", "|  | CPU s | ± MAD | × best peer | min … max | × bare | per s |\n")
                .contains("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
                .contains("| ours | 0.500 | 0.000 | 0.50 | 0.50 … 0.50 | 2.00 | 12,345 |\n");
    }

    /** Checks that another metric may have another best peer. */
    @Test
    void ratioOfAMetricUsesItsOwnBestPeer() {
        Metric tail = Metric.cost("tail_micros", "p99").withRatio();
        Experiment experiment =
                new Experiment("x", "How long", COST, List.of(tail), List.of(), new Experiment.Plan(0, 1));
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        samples.put(
                Identity.of("ours", Role.SUBJECT), List.of(Sample.of(COST, 2).with(tail, 6)));
        samples.put(Identity.of("quick", Role.PEER), List.of(Sample.of(COST, 1).with(tail, 8)));
        samples.put(Identity.of("even", Role.PEER), List.of(Sample.of(COST, 4).with(tail, 4)));
        assertThat(new Report(Report.Style.MARKDOWN)
                        .experiment(new ExperimentResult(experiment, samples, Map.of(), new Summary(0, 0, 0, 0, 1))))
                .contains("| ± MAD | × best peer | min … max | p99 | × best peer |\n")
                .contains("| ours | 2.00 | 0.000 | 2.00 | 2.00 … 2.00 | 6.00 | 1.50 |\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.12345|0.123", "1.2345|1.23", "12.345|12.3", "123.45|123", "12345.6|12,346", "-2.5|-2.50"})
    void showsThreeSignificantDigits(double value, String shown) {
        assertThat(Report.figure(value)).isEqualTo(shown);
    }

    private static ExperimentResult result() {
        Experiment experiment =
                new Experiment("x", "What it costs", COST, List.of(RATE), List.of(), new Experiment.Plan(0, 1));
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        samples.put(
                Identity.of("ours", Role.SUBJECT), List.of(Sample.of(COST, 0.5).with(RATE, 12_345)));
        samples.put(Identity.of("peer", Role.PEER), List.of(Sample.of(COST, 1).with(RATE, 50)));
        samples.put(
                Identity.of("bare", Role.FLOOR), List.of(Sample.of(COST, 0.25).with(RATE, 1)));
        Map<Identity, String> failures = Map.of(Identity.of("gone", Role.PEER), "it broke");
        return new ExperimentResult(experiment, samples, failures, new Summary(0.1, 0, 0, 0.3, 3));
    }
}
