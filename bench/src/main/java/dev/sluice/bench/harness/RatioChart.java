package dev.sluice.bench.harness;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart of headline metrics as multiples of one treatment's: an SVG with a group of bars per experiment. The scale is
 * linear and starts at 0; extreme bars are truncated.
 */
public final class RatioChart {
    private static final int WIDTH = 880;
    private static final int LEFT = 200;
    private static final int RIGHT = 90;
    private static final int BAR = 14;
    private static final int GROUP_GAP = 26;
    private static final int TOP = 48;
    /** The maximum multiple of the reference that is drawn. */
    private static final double CUT_OFF = 10;

    private final StringBuilder svg = new StringBuilder();
    private final Identity reference;
    private final double most;
    private int y = TOP;

    private RatioChart(Identity reference, Collection<ExperimentResult> results) {
        this.reference = reference;
        double greatest = results.stream()
                .flatMapToDouble(result -> drawn(result).stream().mapToDouble(who -> ratio(result, who)))
                .max()
                .orElse(1);
        this.most = Math.clamp(greatest, 2, CUT_OFF);
    }

    /**
     * Returns the chart of some experiments with the reference.
     *
     * @param title title of the chart
     * @param reference the reference of the multiples
     * @param groups experiments by group heading, in drawing order
     */
    public static String svg(String title, Identity reference, Map<String, ExperimentResult> groups) {
        RatioChart chart = new RatioChart(reference, groups.values());
        groups.forEach(chart::group);
        return chart.finish(title);
    }

    private static List<Identity> drawn(ExperimentResult result) {
        return result.samples().keySet().stream()
                .filter(who -> who.role() != Role.CONTROL)
                .toList();
    }

    private double ratio(ExperimentResult result, Identity who) {
        return result.ratio(who, reference).median();
    }

    private void group(String heading, ExperimentResult result) {
        text(LEFT, y - 6, "start", "bold", heading);
        for (Identity who : drawn(result)) {
            bar(who, ratio(result, who));
        }
        y += GROUP_GAP;
    }

    private void bar(Identity who, double ratio) {
        double length = (WIDTH - LEFT - RIGHT) * Math.min(ratio, most) / most;
        text(LEFT - 8, y + BAR - 4, "end", "normal", who.name());
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LEFT,
                y,
                Math.max(1, length),
                BAR - 3,
                colour(who.role())));
        text(
                LEFT + (int) Math.max(1, length) + 6,
                y + BAR - 4,
                "start",
                "normal",
                String.format(Locale.ROOT, ratio > most ? "%.2f (cut off)" : "%.2f", ratio));
        y += BAR;
    }

    private static String colour(Role role) {
        return switch (role) {
            case SUBJECT -> "#1769aa";
            case FLOOR -> "#777777";
            default -> "#c8a15a";
        };
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

    private String finish(String title) {
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"20\" font-size=\"14\">%3$s (shorter is better)</text>%n",
                WIDTH,
                y,
                title);
        return head + svg + "</svg>\n";
    }
}
