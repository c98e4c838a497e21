package dev.sluice.config.json;

import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A reader of JSON documents, over the configuration's YAML library, since all JSON is YAML. */
public final class JsonReader {
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(8 * 1024 * 1024).build();

    private JsonReader() {}

    /**
     * Parses a document.
     *
     * @return maps, lists, texts, numbers, booleans and null
     * @throws IllegalArgumentException when it is malformed
     */
    public static @Nullable Object read(String json) {
        try {
            return new Load(SETTINGS).loadFromString(json);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
        }
    }
}
