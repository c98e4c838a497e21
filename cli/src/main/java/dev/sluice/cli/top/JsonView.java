package dev.sluice.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A part of a JSON document, looked at without surprises: what is not there is empty, has no parts, and is no number. JSON is read by
 * the YAML reader that the configuration has, since all JSON is YAML.
 */
final class JsonView {
    private static final int CHARACTERS_MAX = 8 * 1024 * 1024;

    private final @Nullable Object value;

    private JsonView(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException when it is none
     */
    static JsonView parse(String json) {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(CHARACTERS_MAX).build();
        try {
            return new JsonView(new Load(settings).loadFromString(json));
        } catch (RuntimeException bad) {
            throw new IllegalArgumentException("no JSON: " + bad.getMessage(), bad);
        }
    }

    /** What stands under a key. */
    JsonView at(String key) {
        return new JsonView(value instanceof Map<?, ?> map ? map.get(key) : null);
    }

    /** The elements of a list. */
    List<JsonView> items() {
        List<JsonView> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> items.add(new JsonView(item)));
        }
        return items;
    }

    /** A number; NaN when it is none. */
    double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Whether anything stands there. */
    boolean isPresent() {
        return value != null;
    }

    /** A text; "" when there is none. */
    String text() {
        return value == null ? "" : value.toString();
    }
}
