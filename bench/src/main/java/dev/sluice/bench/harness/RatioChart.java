package dev.sluice.bench.harness;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A chart of headline metrics as multiples of one treatment's: a group of bars per experiment. */
public final class RatioChart {
    private static final int LONGEST = 590;
    private static final int GROUP_GAP = 26;
    /** The maximum multiple of the reference that is drawn. */
    private static final double CUT_OFF = 10;

    private RatioChart() {}

    /**
     * Returns the chart of some experiments with the reference.
     *
     * @param title title of the chart
     * @param reference the reference of the multiples
     * @param groups experiments by group heading, in drawing order
     */
    public static String svg(String title, Identity reference, Map<String, ExperimentResult> groups) {
        double greatest = groups.values().stream()
                .flatMapToDouble(result -> drawn(result).stream().mapToDouble(who -> ratio(result, who, reference)))
                .max()
                .orElse(1);
        BarChart chart = new BarChart(Math.clamp(greatest, 2, CUT_OFF), LONGEST);
        groups.forEach((heading, result) -> {
            chart.heading(heading);
            for (Identity who : drawn(result)) {
                double ratio = ratio(result, who, reference);
                chart.name(who.name());
                chart.bar(BarChart.colour(who.role()), ratio, String.format(Locale.ROOT, "%.2f", ratio));
            }
            chart.gap(GROUP_GAP);
        });
        return chart.svg(title);
    }

    private static List<Identity> drawn(ExperimentResult result) {
        return result.samples().keySet().stream()
                .filter(who -> who.role() != Role.CONTROL)
                .toList();
    }

    private static double ratio(ExperimentResult result, Identity who, Identity reference) {
        return result.ratio(who, reference).median();
    }
}
