package dev.sluice.gateway;

import org.jspecify.annotations.Nullable;

/** Values as JSON has them. */
final class JsonText {
    private JsonText() {}

    /** A text in quotes; {@code null} for null. */
    static String quoted(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        StringBuilder text = new StringBuilder("\"");
        for (char c : value.toString().toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else {
                text.append(c < ' ' ? ' ' : c);
            }
        }
        return text.append('"').toString();
    }
}
