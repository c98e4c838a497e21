package dev.sluice.cost.report;

import dev.sluice.cost.figures.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart as inline SVG. Its colours are the page's ({@code var(--c0)} …), for light and dark mode, and so is its
 * text.
 */
final class Chart {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 340;
    private static final int LEFT = 62;
    private static final int RIGHT = 28;
    private static final int TOP = 14;
    private static final int BOTTOM = 46;
    private static final int Y_TICKS = 5;
    private static final int MOST_DOTS = 12;

    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<Line> lines = new ArrayList<>();

    /**
     * An axis.
     *
     * @param label label below or beside the axis
     * @param logarithmic true for a logarithmic scale
     * @param ticks marked values; empty for automatic ones
     * @param format of a tick
     */
    record Axis(String label, boolean logarithmic, List<Double> ticks, TickFormat format) {}

    /** A formatter of tick values. */
    interface TickFormat {
        String text(double value);
    }

    /** A series of points. */
    private record Line(String name, List<double[]> points) {}

    Chart(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a line through points of x and y; a line without points is omitted. */
    void line(String name, List<double[]> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(name, List.copyOf(points)));
        }
    }

    /** Returns the HTML figure: chart and legend. */
    String html() {
        if (lines.isEmpty()) {
            return "<p class=\"none\">" + Html.escape(title) + ": not measured here.</p>\n";
        }
        Svg svg = new Svg();
        svg.element("<figure>%n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, title);
        grid(svg);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), i);
        }
        svg.element("</svg>%n<figcaption>");
        for (int i = 0; i < lines.size(); i++) {
            svg.element("<span><i style=\"background:var(--c%d)\"></i>%s</span>", i, lines.get(i).name);
        }
        svg.element("</figcaption>%n</figure>");
        return svg.toString();
    }

    private void grid(Svg svg) {
        for (double tick : yTicks()) {
            double at = yAt(tick);
            svg.element(
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT, WIDTH - RIGHT, at, at, LEFT - 6, at + 4, y.format.text(tick));
        }
        for (double tick : x.ticks) {
            svg.element(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    xAt(tick), HEIGHT - BOTTOM + 18, x.format.text(tick));
        }
        svg.element(
                "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n"
                        + "<text class=\"axis\" transform=\"translate(14 %d) rotate(-90)\" "
                        + "text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x.label, (TOP + HEIGHT - BOTTOM) / 2, y.label);
    }

    private void draw(Svg svg, Line line, int colour) {
        StringBuilder path = new StringBuilder();
        for (double[] point : line.points) {
            path.append(String.format(
                    Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", xAt(point[0]), yAt(point[1])));
        }
        svg.element("<path d=\"%s\" stroke=\"var(--c%d)\"/>", path, colour);
        if (line.points.size() <= MOST_DOTS) {
            for (double[] point : line.points) {
                svg.element(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"var(--c%d)\"><title>%s</title></circle>",
                        xAt(point[0]),
                        yAt(point[1]),
                        colour,
                        line.name + ", " + x.format.text(point[0]) + ": " + y.format.text(point[1]));
            }
        }
    }

    private List<Double> yTicks() {
        if (!y.ticks.isEmpty()) {
            return y.ticks;
        }
        List<Double> ticks = new ArrayList<>();
        if (y.logarithmic) {
            for (double tick = Math.pow(10, Math.floor(Math.log10(least()))); tick <= most() * 1.001; tick *= 10) {
                ticks.add(tick);
            }
            ticks.add(ticks.getLast() * 10);
            return ticks;
        }
        double step = roundStep(most() / Y_TICKS);
        for (double tick = 0; tick < most() + step; tick += step) {
            ticks.add(tick);
        }
        return ticks;
    }

    /** Returns the next of 1, 2, 2.5, 5 times a power of ten. */
    private static double roundStep(double raw) {
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        for (double factor : new double[] {1, 2, 2.5, 5}) {
            if (factor * power >= raw) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private double most() {
        return lines.stream()
                .flatMap(line -> line.points.stream())
                .mapToDouble(point -> point[1])
                .max()
                .orElse(1);
    }

    private double least() {
        return lines.stream()
                .flatMap(line -> line.points.stream())
                .mapToDouble(point -> point[1])
                .filter(value -> value > 0)
                .min()
                .orElse(1);
    }

    private double xAt(double value) {
        return LEFT + share(x, value, x.ticks.getFirst(), x.ticks.getLast()) * (WIDTH - LEFT - RIGHT);
    }

    private double yAt(double value) {
        List<Double> ticks = yTicks();
        return HEIGHT - BOTTOM - share(y, value, ticks.getFirst(), ticks.getLast()) * (HEIGHT - BOTTOM - TOP);
    }

    private static double share(Axis axis, double value, double from, double to) {
        return axis.logarithmic
                ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
                : (value - from) / (to - from);
    }

    /** Returns a number unchanged. */
    static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : Numbers.of(value);
    }
}
