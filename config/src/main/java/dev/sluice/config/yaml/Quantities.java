package dev.sluice.config.yaml;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A parser and writer of durations and sizes: a whole number and its unit. */
public final class Quantities {
    private Quantities() {}

    /**
     * Parses a duration: a whole number of {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}.
     *
     * @return null when the text is not a duration
     */
    public static @Nullable Duration duration(String text) {
        int digits = digits(text);
        long millis = switch (text.substring(digits)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 0;
        };
        long product = multiplied(text, digits, millis);
        return product < 0 ? null : Duration.ofMillis(product);
    }

    /**
     * Parses a size: a whole number of {@code B}, {@code KiB}, {@code MiB} or {@code GiB}.
     *
     * @return bytes; -1 when the text is not a size
     */
    public static long bytes(String text) {
        int digits = digits(text);
        long unit = switch (text.substring(digits)) {
            case "B" -> 1L;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            default -> 0L;
        };
        return multiplied(text, digits, unit);
    }

    /**
     * Parses a number: digits, with a point between them or without.
     *
     * @return NaN when the text is not a number
     */
    public static double decimal(String text) {
        return text.matches("[0-9]{1,15}(\\.[0-9]{1,15})?") ? Double.parseDouble(text) : Double.NaN;
    }

    /** Returns a number as YAML has it: whole where it can be. */
    public static Number plain(double number) {
        if (number == Math.rint(number)) {
            return (long) number;
        }
        return number;
    }

    /** Returns a number as text: without exponent, and with a point only where it needs one. */
    public static String text(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** Returns a duration as text: in the largest unit that leaves a whole number. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /** Returns a size as text: in the largest unit that leaves a whole number. */
    public static String text(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        int unit = 0;
        long left = bytes;
        while (left >= 1024 && left % 1024 == 0 && unit < units.length - 1) {
            left /= 1024;
            unit++;
        }
        return left + units[unit];
    }

    private static int digits(String text) {
        int count = 0;
        while (count < text.length() && text.charAt(count) >= '0' && text.charAt(count) <= '9') {
            count++;
        }
        return count;
    }

    private static long multiplied(String text, int digits, long unit) {
        boolean overflows = digits > 15;
        if (digits == 0 || unit == 0 || overflows) {
            return -1;
        }
        long number = Long.parseLong(text, 0, digits, 10);
        return number > Long.MAX_VALUE / unit ? -1 : number * unit;
    }
}
