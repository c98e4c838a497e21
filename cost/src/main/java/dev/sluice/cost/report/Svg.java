package dev.sluice.cost.report;

import java.util.Arrays;
import java.util.Locale;

/** A drawing in SVG, element by element. */
public final class Svg {
    private final StringBuilder elements = new StringBuilder();

    public Svg() {}

    /**
     * Appends an element, or several.
     *
     * @param format as of {@link String#format}
     * @param arguments texts among them are escaped
     */
    public void element(String format, Object... arguments) {
        Object[] escaped = Arrays.stream(arguments)
                .map(argument -> argument instanceof String text ? Html.escape(text) : argument)
                .toArray();
        elements.append(String.format(Locale.ROOT, format, escaped)).append('\n');
    }

    /** Returns the elements, in the order of drawing. */
    @Override
    public String toString() {
        return elements.toString();
    }
}
