package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import java.util.Locale;

/**
 * A chart of a storm's effect on established connections: for each server the 99th percentile without and with it,
 * beside the outcomes of the storm's clients. The scale is linear and starts at 0; extreme bars are truncated.
 */
final class StormChart {
    private static final int WIDTH = 880;
    private static final int LEFT = 200;
    private static final int BARS = 400;
    private static final int BAR = 14;
    private static final int GROUP = 2 * BAR + 18;
    private static final int TOP = 58;
    /** The maximum bar, as a multiple of the longest without a storm. */
    private static final double CUT_OFF = 6;

    private final ExperimentResult result;
    private final StringBuilder svg = new StringBuilder();
    private final double most;
    private int y = TOP;

    private StormChart(ExperimentResult result) {
        this.result = result;
        double calm = longest(StormTreatment.CALM_P99);
        this.most = Math.min(Math.max(calm, longest(StormTreatment.STORM_P99)), CUT_OFF * calm);
    }

    static String svg(ExperimentResult result) {
        StormChart chart = new StormChart(result);
        result.samples().keySet().forEach(chart::group);
        return chart.finish();
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
        text(LEFT - 8, y + BAR + 3, "end", "bold", who.name());
        bar("#9aa7b0", median(who, StormTreatment.CALM_P99), "calm");
        bar(who.role() == Role.SUBJECT ? "#1769aa" : "#c8a15a", median(who, StormTreatment.STORM_P99), "storm");
        text(
                WIDTH - 12,
                y - BAR + 3,
                "end",
                "normal",
                String.format(
                        Locale.ROOT,
                        "%.0f %% of resuming clients served, %.0f %% unanswered",
                        100 * median(who, StormTreatment.RESUMED),
                        100 * median(who, StormTreatment.LOST)));
        y += GROUP - 2 * BAR;
    }

    private void bar(String colour, double micros, String what) {
        double length = Math.max(1, BARS * Math.min(micros, most) / most);
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LEFT,
                y,
                length,
                BAR - 3,
                colour));
        text(
                LEFT + (int) length + 6,
                y + BAR - 5,
                "start",
                "normal",
                String.format(Locale.ROOT, micros > most ? "%s %,.0f µs (cut off)" : "%s %,.0f µs", what, micros));
        y += BAR;
    }

    private void text(int x, int baseline, String anchor, String weight, String content) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-weight=\"%s\">%s</text>%n",
                x,
                baseline,
                anchor,
                weight,
                content));
    }

    private String finish() {
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" "
                        + "font-size=\"11\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n<text x=\"12\" "
                        + "y=\"20\" font-size=\"14\">Established connections in a storm of handshakes: p99 of 128 "
                        + "bytes there and back (shorter is better)</text>%n",
                WIDTH,
                y);
        return head + svg + "</svg>\n";
    }
}
