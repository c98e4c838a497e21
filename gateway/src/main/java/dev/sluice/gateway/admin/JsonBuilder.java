package dev.sluice.gateway.admin;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Builds JSON text (RFC 8259): commas, quotes and escapes are its own. For one thread. */
final class JsonBuilder {
    /** Whole numbers up to here are exact in a double, and in JavaScript. */
    private static final double EXACT_MAX = 1L << 53;

    private final StringBuilder text = new StringBuilder(8 * 1024);
    private boolean needsComma;

    JsonBuilder beginObject() {
        return begin('{');
    }

    JsonBuilder endObject() {
        return end('}');
    }

    JsonBuilder beginArray() {
        return begin('[');
    }

    JsonBuilder endArray() {
        return end(']');
    }

    /** The name of what follows. */
    JsonBuilder name(String name) {
        separate();
        quote(name);
        text.append(':');
        needsComma = false;
        return this;
    }

    JsonBuilder value(@Nullable String value) {
        separate();
        if (value == null) {
            text.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    JsonBuilder value(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    JsonBuilder value(long value) {
        separate();
        text.append(value);
        return this;
    }

    /** A number; {@code null} where it is none, since JSON has no word for that. */
    JsonBuilder value(double value) {
        separate();
        if (value == Math.rint(value) && Math.abs(value) < EXACT_MAX) {
            text.append((long) value);
        } else if (Double.isFinite(value)) {
            text.append(value);
        } else {
            text.append("null");
        }
        return this;
    }

    /** A number with the seven digits that it has. */
    JsonBuilder value(float value) {
        if (value == Math.rint(value) || !Float.isFinite(value)) {
            return value((double) value);
        }
        separate();
        text.append(value);
        return this;
    }

    private JsonBuilder begin(char bracket) {
        separate();
        text.append(bracket);
        needsComma = false;
        return this;
    }

    private JsonBuilder end(char bracket) {
        text.append(bracket);
        needsComma = true;
        return this;
    }

    private void separate() {
        if (needsComma) {
            text.append(',');
        }
        needsComma = true;
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
