package dev.sluice.bench.record;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the cost of a record as multiples of the bare EVP calls, an SVG with a group of bars for each size. Bars are on a
 * logarithmic scale, since the JDK's engine at 64 bytes would leave no room for the others on a linear one.
 */
final class RatioChart {
    private static final int WIDTH = 880;
    private static final int LEFT = 200;
    private static final int RIGHT = 90;
    private static final int BAR = 14;
    private static final int GROUP_GAP = 26;
    private static final int TOP = 48;
    private static final double LEAST = 0.8;

    private final StringBuilder svg = new StringBuilder();
    private final double most;
    private int y = TOP;

    private RatioChart(double most) {
        this.most = Math.max(2, most);
    }

    /** The chart of one operation, by payload size. */
    static String svg(Map<Integer, ExperimentResult> bySize) {
        double most = bySize.values().stream()
                .flatMapToDouble(result -> drawn(result).stream().mapToDouble(who -> ratio(result, who)))
                .max()
                .orElse(1);
        RatioChart chart = new RatioChart(most);
        bySize.forEach(chart::group);
        return chart.finish();
    }

    private static List<Identity> drawn(ExperimentResult result) {
        return result.samples().keySet().stream()
                .filter(who -> who.role() != Role.CONTROL)
                .toList();
    }

    private static double ratio(ExperimentResult result, Identity who) {
        return result.ratio(who, Row.EVP.identity()).median();
    }

    private void group(int bytes, ExperimentResult result) {
        text(LEFT, y - 6, "start", "bold", Workload.size(bytes));
        for (Identity who : drawn(result)) {
            bar(who, ratio(result, who));
        }
        y += GROUP_GAP;
    }

    private void bar(Identity who, double ratio) {
        double length = (WIDTH - LEFT - RIGHT) * Math.log(ratio / LEAST) / Math.log(most / LEAST);
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
                String.format(Locale.ROOT, "%.2f", ratio));
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

    private String finish() {
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"20\" font-size=\"14\">Sealing and opening a TLS 1.3 record, AES-128-GCM:"
                        + " multiples of the bare EVP calls (logarithmic; shorter is better)</text>%n",
                WIDTH,
                y);
        return head + svg + "</svg>\n";
    }
}
