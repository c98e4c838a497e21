package dev.sluice.gateway.json;

import java.io.StringWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.core.util.Separators.Spacing;

/**
 * JSON text (RFC 8259) of the control path, written by Jackson's generator. May be used from any thread; Jackson is
 * loaded by the first call.
 */
public final class Json {
    /** Integers up to here are exact in a double, and in JavaScript. */
    private static final double EXACT_MAX = 1L << 53;

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Returns the text that a writer generates, on one line. */
    public static String of(Consumer<JsonGenerator> writer) {
        return of(ObjectWriteContext.empty(), writer);
    }

    /** Returns the text that a writer generates, with a line for each member. */
    public static String indented(Consumer<JsonGenerator> writer) {
        return of(new Indented(), writer);
    }

    private static String of(ObjectWriteContext context, Consumer<JsonGenerator> writer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(context, text)) {
            writer.accept(json);
        }
        return text.toString();
    }

    /** A context that indents by two spaces. */
    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            Separators separators = Separators.createDefaultInstance().withObjectNameValueSpacing(Spacing.AFTER);
            return new DefaultPrettyPrinter(separators).withObjectIndenter(new DefaultIndenter("  ", "\n"));
        }
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
}
