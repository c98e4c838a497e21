package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import java.util.Locale;

/**
 * A chart of a storm's effect on established connections: for each server the 99th percentile without and with it,
 * beside the outcomes of the storm's clients.
 */
final class StormChart {
    private static final int LONGEST = 400;
    private static final int GROUP_GAP = 18;
    /** The maximum bar, as a multiple of the longest without a storm. */
    private static final double CUT_OFF = 6;

    private final ExperimentResult result;
    private final BarChart chart;

    private StormChart(ExperimentResult result) {
        this.result = result;
        double calm = longest(StormTreatment.CALM_P99);
        this.chart = new BarChart(Math.min(Math.max(calm, longest(StormTreatment.STORM_P99)), CUT_OFF * calm), LONGEST);
    }

    static String svg(ExperimentResult result) {
        StormChart storm = new StormChart(result);
        result.samples().keySet().stream()
                .filter(who -> who.role() != Role.CONTROL)
                .forEach(storm::group);
        return storm.chart.svg("Established connections in a storm of handshakes: p99 of 128 bytes there and back");
    }

    private double longest(Metric metric) {
        return result.samples().keySet().stream()
                .mapToDouble(who -> median(who, metric))
                .max()
                .orElse(1);
    }

    private double median(Identity who, Metric metric) {
        return result.summary(who, metric).median();
    }

    private void group(Identity who) {
        chart.name(who.name());
        chart.note(String.format(
                Locale.ROOT,
                "%.0f %% of resuming clients served, %.0f %% unanswered",
                100 * median(who, StormTreatment.RESUMED),
                100 * median(who, StormTreatment.LOST)));
        bar("#9aa7b0", median(who, StormTreatment.CALM_P99), "calm");
        bar(BarChart.colour(who.role()), median(who, StormTreatment.STORM_P99), "storm");
        chart.gap(GROUP_GAP);
    }

    private void bar(String colour, double micros, String what) {
        chart.bar(colour, micros, String.format(Locale.ROOT, "%s %,.0f µs", what, micros));
    }
}
