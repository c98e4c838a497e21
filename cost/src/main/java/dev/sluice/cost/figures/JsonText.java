package dev.sluice.cost.figures;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A writer of maps, lists, texts, numbers and booleans as JSON (RFC 8259), in the order of the maps. */
public final class JsonText {
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    /** Returns the text of a value, indented, with a final line break. */
    public static String of(Object value) {
        JsonText text = new JsonText();
        text.value(value, "\n");
        return text.out.append('\n').toString();
    }

    /** Returns the text of a value in one line, without a line break. */
    public static String line(Object value) {
        JsonText text = new JsonText();
        text.value(value, "");
        return text.out.toString();
    }

    /**
     * Writes a value.
     *
     * @param newLine a line break and the indentation of the value's own line; "" for a single line
     */
    private void value(Object value, String newLine) {
        switch (value) {
            case Map<?, ?> map -> object(map, newLine);
            case List<?> list -> array(list, newLine);
            case Number number -> number(number);
            case Boolean truth -> out.append(truth);
            default -> quote(value.toString());
        }
    }

    private void object(Map<?, ?> map, String newLine) {
        out.append('{');
        String inner = newLine.isEmpty() ? "" : newLine + INDENT;
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator).append(inner);
            quote(String.valueOf(entry.getKey()));
            out.append(": ");
            // A figure is on one line.
            boolean flat = entry.getValue() instanceof Map<?, ?> value && isFlat(value);
            value(Objects.requireNonNull(entry.getValue()), flat ? "" : inner);
            separator = newLine.isEmpty() ? ", " : ",";
        }
        out.append(map.isEmpty() ? "" : newLine).append('}');
    }

    private static boolean isFlat(Map<?, ?> map) {
        return map.values().stream().noneMatch(value -> value instanceof Map || value instanceof List)
                && map.values().stream().anyMatch(Number.class::isInstance);
    }

    private void array(List<?> list, String newLine) {
        out.append('[');
        String inner = newLine.isEmpty() ? "" : newLine + INDENT;
        String separator = "";
        for (Object each : list) {
            out.append(separator).append(inner);
            value(each, inner);
            separator = newLine.isEmpty() ? ", " : ",";
        }
        out.append(list.isEmpty() ? "" : newLine).append(']');
    }

    /** Writes a number with six significant digits; JSON has no non-finite numbers. */
    private void number(Number number) {
        double value = number.doubleValue();
        if (!Double.isFinite(value)) {
            out.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            out.append((long) value);
        } else {
            out.append(Double.parseDouble(String.format(Locale.ROOT, "%.6g", value)));
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
