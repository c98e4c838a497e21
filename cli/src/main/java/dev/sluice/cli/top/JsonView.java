package dev.sluice.cli.top;

import dev.sluice.config.json.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a JSON document, with lenient access: a missing value is empty, has no parts, and is not a number. */
final class JsonView {
    private final @Nullable Object value;

    private JsonView(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Parses a document.
     *
     * @throws IllegalArgumentException when it is malformed
     */
    static JsonView parse(String json) {
        return new JsonView(JsonReader.read(json));
    }

    /** Returns the value of a key. */
    JsonView at(String key) {
        return new JsonView(value instanceof Map<?, ?> map ? map.get(key) : null);
    }

    /** Returns the elements of a list. */
    List<JsonView> items() {
        List<JsonView> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> items.add(new JsonView(item)));
        }
        return items;
    }

    /** Returns a number; NaN for any other value. */
    double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Returns a text; "" for any other value. */
    String text() {
        return value == null ? "" : value.toString();
    }
}
