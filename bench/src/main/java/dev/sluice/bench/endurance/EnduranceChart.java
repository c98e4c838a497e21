package dev.sluice.bench.endurance;

import dev.sluice.cost.report.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A chart of a run: figures over time, one panel below the other, with marks where something happened. */
final class EnduranceChart {
    private static final int WIDTH = 880;
    private static final int LEFT = 64;
    private static final int RIGHT = 868;
    private static final int TOP = 60;
    private static final int PANEL = 110;
    private static final int PANEL_GAP = 42;
    private static final int MINUTE_MARKS = 6;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double LOGARITHMIC_FROM = 0.1;
    private static final String BLUE = "#1769aa";
    private static final String GREY = "#777777";

    private final Svg svg = new Svg();
    private final Timetable timetable;
    private final List<Moment> moments;
    private int top = TOP;

    EnduranceChart(Timetable timetable, List<Moment> moments) {
        this.timetable = timetable;
        this.moments = moments;
    }

    /**
     * A line of a panel.
     *
     * @param name what it shows, with the unit
     */
    private record Line(String name, String colour, ToDoubleFunction<Moment> figure) {}

    /** The scales of panels. */
    private enum Scale {
        /** From 0. */
        LINEAR {
            @Override
            double part(double value, double most) {
                return value / most;
            }

            @Override
            String least() {
                return "0";
            }
        },
        /** From {@link #LOGARITHMIC_FROM}, at which lower values lie. */
        LOGARITHMIC {
            @Override
            double part(double value, double most) {
                return Math.log(Math.max(1, value / LOGARITHMIC_FROM)) / Math.log(Math.max(2, most / LOGARITHMIC_FROM));
            }

            @Override
            String least() {
                return Double.toString(LOGARITHMIC_FROM);
            }
        };

        /** Returns how far up a value lies, from 0 to 1. */
        abstract double part(double value, double most);

        /** Returns the text at the lower end. */
        abstract String least();
    }

    /** Returns the drawing. */
    String svg() {
        panel(
                Scale.LOGARITHMIC,
                new Line("p99 of 128 bytes there and back, ms (logarithmic)", BLUE, moment -> millis(moment, "p99")),
                new Line("p50", GREY, moment -> millis(moment, "p50")));
        panel(Scale.LINEAR, new Line("resident memory of all processes of the gateway, MiB", BLUE, Moment::resident));
        panel(
                Scale.LINEAR,
                new Line("open descriptors", BLUE, moment -> moment.figures().descriptors()),
                new Line(
                        "clients' connections", GREY, moment -> moment.figures().sessions()));
        panel(
                Scale.LINEAR,
                new Line(
                        "honest connections broken, other than with a failing backend",
                        BLUE,
                        moment -> moment.traffic().number("broken")));
        minutes();
        Svg frame = new Svg();
        frame.element(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"%1$d\" height=\"%2$d\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"20\" font-size=\"14\">%3$s</text>",
                WIDTH,
                top,
                String.format(
                        Locale.ROOT,
                        "The gateway in %.0f min of mixed traffic, with %d reloads and %d attacks",
                        timetable.seconds() / SECONDS_PER_MINUTE,
                        timetable.count(Event.RELOAD),
                        timetable.count(Event.ATTACK)));
        frame.element(
                "<text x=\"12\" y=\"36\" fill=\"%s\">│ hot restart</text>"
                        + "<text x=\"90\" y=\"36\" fill=\"%s\">│ a backend fails</text>",
                Event.HOT_RESTART.colour(), Event.FIRST_BACKEND_FAILS.colour());
        return frame + svg.toString() + "</svg>\n";
    }

    private static double millis(Moment moment, String percentile) {
        return moment.traffic().number(percentile) / NANOS_PER_MILLI;
    }

    private void panel(Scale scale, Line... lines) {
        double most = 0;
        for (Line line : lines) {
            most = Math.max(
                    most, moments.stream().mapToDouble(line.figure).max().orElse(0));
        }
        double highest = most > 0 ? most : 1;
        marks();
        svg.element("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\"/>", LEFT, top, top + PANEL, RIGHT);
        text(LEFT - 6, top + 8, "end", GREY, String.format(Locale.ROOT, highest < 10 ? "%.1f" : "%,.0f", highest));
        text(LEFT - 6, top + PANEL, "end", GREY, scale.least());
        int x = LEFT;
        for (Line line : lines) {
            text(x, top - 6, "start", line.colour, line.name);
            x = WIDTH / 2;
            draw(line, scale, highest);
        }
        top += PANEL + PANEL_GAP;
    }

    private void marks() {
        timetable.entries().stream()
                .filter(entry -> !entry.event().mark().isEmpty())
                .sorted(Comparator.comparing(Timetable.Entry::event))
                .forEach(entry -> svg.element(
                        "<path d=\"M%1$.1f %2$d V%3$d\" stroke=\"%4$s\" stroke-width=\"0.7\">"
                                + "<title>%5$s</title></path>",
                        x((double) entry.second()),
                        top,
                        top + PANEL,
                        entry.event().colour(),
                        entry.event().mark()));
    }

    private void draw(Line line, Scale scale, double most) {
        StringBuilder points = new StringBuilder();
        for (Moment moment : moments) {
            double y = top + PANEL * (1 - scale.part(line.figure.applyAsDouble(moment), most));
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x((double) moment.second()), y));
        }
        svg.element(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\"/>",
                points.toString().strip(), line.colour);
    }

    private void minutes() {
        for (int i = 0; i <= MINUTE_MARKS; i++) {
            double second = timetable.seconds() * (double) i / MINUTE_MARKS;
            text(
                    (int) x(second),
                    top - PANEL_GAP + 16,
                    i == MINUTE_MARKS ? "end" : "middle",
                    GREY,
                    String.format(Locale.ROOT, "%.1f min", second / SECONDS_PER_MINUTE));
        }
    }

    private double x(double second) {
        return LEFT + (RIGHT - LEFT) * second / timetable.seconds();
    }

    private void text(int x, int y, String anchor, String colour, String content) {
        svg.element("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>", x, y, anchor, colour, content);
    }
}
