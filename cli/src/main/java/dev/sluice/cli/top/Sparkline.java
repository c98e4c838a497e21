package dev.sluice.cli.top;

import java.nio.charset.Charset;
import java.util.List;

/** A line of characters whose heights plot a series. */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String ASCII = "_.-=+*#@";

    private final String levels;

    /**
     * Creates an instance.
     *
     * @param charset of the terminal; one without block elements gets ASCII
     */
    Sparkline(Charset charset) {
        this.levels = charset.newEncoder().canEncode(BLOCKS) ? BLOCKS : ASCII;
    }

    /**
     * Draws values, the newest at the right.
     *
     * @param values NaN for a gap
     * @param width width in characters; values that do not fit are averaged
     * @param top value of the highest level; 0 for the largest value
     */
    String of(List<Double> values, int width, double top) {
        int perCharacter = Math.max(1, (values.size() + width - 1) / width);
        double highest = top > 0
                ? top
                : values.stream().mapToDouble(v -> v).filter(v -> v > 0).max().orElse(1);
        StringBuilder line = new StringBuilder();
        for (int end = values.size(); end > 0 && line.length() < width; end -= perCharacter) {
            double mean = values.subList(Math.max(0, end - perCharacter), end).stream()
                    .mapToDouble(v -> v)
                    .filter(v -> !Double.isNaN(v))
                    .average()
                    .orElse(Double.NaN);
            line.append(level(mean / highest));
        }
        return " ".repeat(Math.max(0, width - line.length())) + line.reverse();
    }

    private char level(double part) {
        if (Double.isNaN(part)) {
            return ' ';
        }
        return levels.charAt((int) Math.clamp(part * levels.length(), 0, levels.length() - 1));
    }
}
