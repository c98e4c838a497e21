package dev.sluice.cost.figures;

import java.util.Locale;

/** Numbers for display: about three significant digits, with thousands separators. */
public final class Numbers {
    private static final double KIB = 1024;
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Numbers() {}

    /** Returns the text of a number. */
    public static String of(double value) {
        double size = Math.abs(value);
        String format = size >= 100 || value == 0 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    /** Returns half of the interval's width: {@code ±2 %}. */
    public static String error(Estimate estimate) {
        double percent = estimate.relativeError() * 100;
        return "±" + String.format(Locale.ROOT, percent < 9.5 ? "%.1f" : "%.0f", percent) + " %";
    }

    /** Returns the bytes in the largest unit with a value of at least one. */
    public static String bytes(double bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= KIB && unit < BYTE_UNITS.length - 1) {
            value /= KIB;
            unit++;
        }
        return (unit == 0 ? String.format(Locale.ROOT, "%.0f", value) : of(value)) + " " + BYTE_UNITS[unit];
    }

    /** Returns a share in percent. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /** Returns the relative change, such as {@code −42 %}. */
    public static String change(double before, double after) {
        if (before == 0) {
            return after == 0 ? "±0 %" : "more";
        }
        double percent = (after / before - 1) * 100;
        String sign = percent < -0.5 ? "−" : percent > 0.5 ? "+" : "±";
        return String.format(Locale.ROOT, "%s%.0f %%", sign, Math.abs(percent));
    }
}
