package dev.sluice.bench.harness;

import java.util.Locale;

/** One JSON object on one line (RFC 8259), written in order. Sufficient for results, which are not read back here. */
public final class JsonObject {
    private final StringBuilder text = new StringBuilder("{");

    /** Appends a text member. */
    public JsonObject put(String key, String value) {
        return raw(key, quote(value));
    }

    /** Appends an integer member. */
    public JsonObject put(String key, long value) {
        return raw(key, Long.toString(value));
    }

    /** Appends a number with nine significant digits; null if it is not finite, which JSON lacks. */
    public JsonObject put(String key, double value) {
        return raw(key, Double.isFinite(value) ? number(value) : "null");
    }

    /** Appends a boolean member. */
    public JsonObject put(String key, boolean value) {
        return raw(key, Boolean.toString(value));
    }

    /** Appends an object member. */
    public JsonObject put(String key, JsonObject value) {
        return raw(key, value.toString());
    }

    /** Returns the line without its terminator. */
    @Override
    public String toString() {
        return text + "}";
    }

    private JsonObject raw(String key, String value) {
        if (text.length() > 1) {
            text.append(',');
        }
        text.append(quote(key)).append(':').append(value);
        return this;
    }

    private static String number(double value) {
        return Double.toString(Double.parseDouble(String.format(Locale.ROOT, "%.9g", value)));
    }

    private static String quote(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
