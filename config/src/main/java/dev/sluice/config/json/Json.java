package dev.sluice.config.json;

import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.DefaultPrettyPrinter.NopIndenter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;

/**
 * JSON text (RFC 8259), written by Jackson's generator. May be used from any thread; Jackson is loaded by the first
 * call.
 */
public final class Json {
    /** Integers up to here are exact in a double, and in JavaScript. */
    private static final double EXACT_MAX = 1L << 53;

    private static final int COLUMNS = 120;
    private static final String INDENT = "  ";

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build();

    private Json() {}

    /** Returns the text that a writer generates, on one line without spaces. */
    public static String of(Consumer<JsonGenerator> writer) {
        return of(ObjectWriteContext.empty(), writer);
    }

    /** Returns the same values as {@link #document} on one line without spaces, for programs. */
    public static String compact(Object value) {
        return of(json -> write(json, value));
    }

    /**
     * Returns maps, lists, texts, numbers, booleans and null as a document for people: what fits into a line stands on
     * one line. A number that is not whole has six significant digits.
     *
     * @return text that ends with a line feed
     */
    public static String document(Object value) {
        return text(value, "", 0) + "\n";
    }

    private static String of(ObjectWriteContext context, Consumer<JsonGenerator> writer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(context, text)) {
            writer.accept(json);
        }
        return text.toString();
    }

    private static String text(@Nullable Object value, String indent, int before) {
        String line = line(value);
        if (indent.length() + before + line.length() + 1 <= COLUMNS) {
            return line;
        }
        String inner = indent + INDENT;
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> member(entry, inner))
                        .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
            case List<?> list ->
                list.stream()
                        .map(item -> inner + text(item, inner, 0))
                        .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
            case null, default -> line;
        };
    }

    private static String member(Entry<?, ?> entry, String indent) {
        String name = line(entry.getKey()) + ": ";
        return indent + name + text(entry.getValue(), indent, name.length());
    }

    private static String line(@Nullable Object value) {
        return of(new Spaced(), json -> write(json, value));
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                map.forEach((name, member) -> write(json.writeName(name.toString()), member));
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(item -> write(json, item));
                json.writeEndArray();
            }
            case Number number -> number(json, rounded(number.doubleValue()));
            case Boolean flag -> json.writeBoolean(flag);
            default -> json.writeString(value.toString());
        }
    }

    private static double rounded(double value) {
        boolean whole = value == Math.rint(value) || !Double.isFinite(value);
        return whole ? value : Double.parseDouble(String.format(Locale.ROOT, "%.6g", value));
    }

    /** Writes a number: an integer without a fraction, and null if it is not finite, which JSON cannot express. */
    public static void number(JsonGenerator json, double value) {
        if (value == Math.rint(value) && Math.abs(value) < EXACT_MAX) {
            json.writeNumber((long) value);
        } else if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeNull();
        }
    }

    /** Writes a number of single precision, with the digits that it has. */
    public static void number(JsonGenerator json, float value) {
        if (value == Math.rint(value) || !Float.isFinite(value)) {
            number(json, (double) value);
        } else {
            json.writeNumber(value);
        }
    }

    /** Writes a member whose value is a text, or null. */
    public static void text(JsonGenerator json, String name, @Nullable Object value) {
        json.writeStringProperty(name, value == null ? null : value.toString());
    }

    /** A context that separates by spaces. */
    private static final class Spaced extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            Separators separators = Separators.createDefaultInstance()
                    .withObjectNameValueSpacing(Spacing.AFTER)
                    .withObjectEntrySpacing(Spacing.AFTER)
                    .withArrayElementSpacing(Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator("");
            return new DefaultPrettyPrinter(separators)
                    .withObjectIndenter(NopIndenter.instance())
                    .withArrayIndenter(NopIndenter.instance());
        }
    }
}
