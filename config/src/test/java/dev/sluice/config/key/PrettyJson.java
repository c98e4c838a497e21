package dev.sluice.config.key;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A writer of JSON for people: what fits into a line stands on one line. */
final class PrettyJson {
    private static final int COLUMNS = 120;
    private static final String INDENT = "  ";

    private PrettyJson() {}

    /** Returns maps, lists, strings, numbers and booleans as JSON, with a line feed at the end. */
    static String of(Object value) {
        return text(value, "", 0) + "\n";
    }

    private static String text(Object value, String indent, int before) {
        String line = line(value);
        if (indent.length() + before + line.length() + 1 <= COLUMNS) {
            return line;
        }
        String inner = indent + INDENT;
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> {
                            String key = quoted(entry.getKey()) + ": ";
                            return inner + key + text(entry.getValue(), inner, key.length());
                        })
                        .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
            case List<?> list ->
                list.stream()
                        .map(item -> inner + text(item, inner, 0))
                        .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
            default -> line;
        };
    }

    private static String line(Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> quoted(entry.getKey()) + ": " + line(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list -> list.stream().map(PrettyJson::line).collect(Collectors.joining(", ", "[", "]"));
            case String string -> quoted(string);
            default -> value.toString();
        };
    }

    private static String quoted(Object text) {
        return '"' + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
