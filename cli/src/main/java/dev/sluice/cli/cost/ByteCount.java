package dev.sluice.cli.cost;

import dev.sluice.cost.figures.CostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Byte counts in the usual notation: {@code 500k}, {@code 100M}, {@code 2G}, in powers of ten. */
final class ByteCount {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)([kMG]?)");

    private ByteCount() {}

    /**
     * Parses a byte count.
     *
     * @param option the option's name, for the message
     * @throws CostException for any other notation
     */
    static double parse(String option, String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new CostException(option + " must be a number of bytes such as 500k, 100M or 2G, not " + text);
        }
        double factor = switch (matcher.group(2)) {
            case "k" -> 1e3;
            case "M" -> 1e6;
            case "G" -> 1e9;
            default -> 1;
        };
        return Double.parseDouble(matcher.group(1)) * factor;
    }
}
