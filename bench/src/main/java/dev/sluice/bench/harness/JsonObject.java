package dev.sluice.bench.harness;

import java.util.Locale;

/** One JSON object on one line (RFC 8259), written in order. Enough for results, which nobody here reads back. */
public final class JsonObject {
    private final StringBuilder text = new StringBuilder("{");

    /** A text member. */
    public JsonObject put(String key, String value) {
        return raw(key, quote(value));
    }

    /** An integer member. */
    public JsonObject put(String key, long value) {
        return raw(key, Long.toString(value));
    }

    /** A number, to nine significant digits; null where it is not finite, since JSON has no such numbers. */
    public JsonObject put(String key, double value) {
        return raw(key, Double.isFinite(value) ? number(value) : "null");
    }

    /** A truth. */
    public JsonObject put(String key, boolean value) {
        return raw(key, Boolean.toString(value));
    }

    /** An object in the object. */
    public JsonObject put(String key, JsonObject value) {
        return raw(key, value.toString());
    }

    /** The line, without its end. */
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
