package dev.sluice.bench.harness;

import dev.sluice.cost.report.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A chart of horizontal bars from top to bottom, as SVG. The scale is linear and starts at 0; bars beyond it are
 * truncated.
 */
public final class BarChart {
    private static final int WIDTH = 880;
    private static final int LEFT = 200;
    private static final int TOP = 48;
    private static final int BAR = 14;

    private final Svg bars = new Svg();
    private final double most;
    private final int longest;
    private int y = TOP;

    /**
     * Creates an empty chart.
     *
     * @param most end of the scale
     * @param longest length of a bar as long as the scale
     */
    public BarChart(double most, int longest) {
        this.most = most;
        this.longest = longest;
    }

    /** Writes a chart to a file, if there is one. */
    public static void write(Optional<Path> file, Supplier<String> svg) {
        if (file.isPresent()) {
            try {
                Files.writeString(file.get(), svg.get());
            } catch (IOException e) {
                throw new BenchException("cannot write " + file.get() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Returns the colour of a role's bars. */
    public static String colour(Role role) {
        return switch (role) {
            case SUBJECT -> "#1769aa";
            case FLOOR -> "#777777";
            default -> "#c8a15a";
        };
    }

    /** Writes a heading above the next bar. */
    void heading(String text) {
        text(LEFT, y - 6, "start", "bold", text);
    }

    /** Writes a name to the left of the next bar. */
    public void name(String text) {
        text(LEFT - 8, y + BAR - 4, "end", "normal", text);
    }

    /** Writes a note at the right end of the next bar. */
    public void note(String text) {
        text(WIDTH - 12, y + BAR - 4, "end", "normal", text);
    }

    /** Draws a bar, with its value as text behind it. */
    public void bar(String colour, double value, String text) {
        double length = Math.max(1, longest * Math.min(value, most) / most);
        bars.element(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", LEFT, y, length, BAR - 3, colour);
        text(LEFT + (int) length + 6, y + BAR - 4, "start", "normal", value > most ? text + " (cut off)" : text);
        y += BAR;
    }

    /** Leaves room below the last bar. */
    public void gap(int height) {
        y += height;
    }

    /** Returns the chart as a document. */
    public String svg(String title) {
        Svg frame = new Svg();
        frame.element(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"20\" font-size=\"14\">%3$s (shorter is better)</text>",
                WIDTH, y, title);
        return frame + bars.toString() + "</svg>\n";
    }

    private void text(int x, int baseline, String anchor, String weight, String content) {
        bars.element(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-weight=\"%s\">%s</text>",
                x, baseline, anchor, weight, content);
    }
}
