package dev.sluice.doctor.finding;

import java.util.List;
import java.util.Map;

/** A writer of maps, lists, texts, numbers and booleans as JSON (RFC 8259), indented by two spaces per level. */
final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /** Returns a value as a document that ends with a newline. */
    static String of(Object value) {
        Json json = new Json();
        json.write(value, "");
        return json.out.append('\n').toString();
    }

    private void write(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map -> writeMap(map, indent);
            case List<?> list -> writeList(list, indent);
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> quote(value.toString());
        }
    }

    private void writeMap(Map<?, ?> map, String indent) {
        String deeper = indent + INDENT;
        String separator = "{\n";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator).append(deeper);
            quote(String.valueOf(entry.getKey()));
            out.append(": ");
            write(entry.getValue(), deeper);
            separator = ",\n";
        }
        out.append(map.isEmpty() ? "{}" : "\n" + indent + "}");
    }

    private void writeList(List<?> list, String indent) {
        String deeper = indent + INDENT;
        String separator = "[\n";
        for (Object each : list) {
            out.append(separator).append(deeper);
            write(each, deeper);
            separator = ",\n";
        }
        out.append(list.isEmpty() ? "[]" : "\n" + indent + "]");
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < ' ' || c == 0x7F) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
