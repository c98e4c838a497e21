package dev.sluice.cli.command;

import java.util.List;
import java.util.Locale;

/** Numbers and durations for display. */
public final class FigureText {
    private static final String UNKNOWN = "-";
    private static final List<String> SIZES = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private static final double CENTURY_SECONDS = 36_525.0 * 86_400;

    private FigureText() {}

    /** Returns a count or a rate: two decimals for small values, none for large ones. */
    public static String count(double value) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        if (value == Math.rint(value) || Math.abs(value) >= 10) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, "%.2f", value);
    }

    public static String percent(double ratio) {
        return Double.isFinite(ratio)
                ? String.format(Locale.ROOT, ratio < 0.1 ? "%.1f %%" : "%.0f %%", ratio * 100)
                : UNKNOWN;
    }

    public static String bytes(double value) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        int size = 0;
        double scaled = value;
        while (scaled >= 1000 && size < SIZES.size() - 1) {
            scaled /= 1024;
            size++;
        }
        return String.format(Locale.ROOT, size == 0 || scaled >= 100 ? "%.0f %s" : "%.1f %s", scaled, SIZES.get(size));
    }

    /** Returns a duration in its two largest units, such as 3 d 4 h; centuries count as endless. */
    public static String duration(double seconds) {
        if (!(Math.abs(seconds) < CENTURY_SECONDS)) {
            return UNKNOWN;
        }
        long whole = (long) Math.abs(seconds);
        String sign = seconds < 0 ? "-" : "";
        if (whole >= 86_400) {
            return sign + whole / 86_400 + " d " + whole % 86_400 / 3_600 + " h";
        }
        if (whole >= 3_600) {
            return sign + whole / 3_600 + " h " + whole % 3_600 / 60 + " min";
        }
        return sign + (whole >= 60 ? whole / 60 + " min " + whole % 60 + " s" : whole + " s");
    }

    /** Returns a metric name as words. */
    public static String words(String name) {
        return name.replace('_', ' ');
    }
}
