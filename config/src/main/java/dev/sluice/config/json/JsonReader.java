package dev.sluice.config.json;

import dev.sluice.config.yaml.BoundedParser;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A reader of JSON documents, over the configuration's YAML library, since all JSON is YAML. */
public final class JsonReader {
    /** Without aliases, which JSON does not have: one could make a list an element of itself. */
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(8 * 1024 * 1024)
            .setMaxAliasesForCollections(0)
            .build();

    private JsonReader() {}

    /**
     * Parses a document.
     *
     * @return maps, lists, texts, numbers, booleans and null
     * @throws IllegalArgumentException when it is malformed
     */
    public static @Nullable Object read(String json) {
        try {
            return new StandardConstructor(SETTINGS)
                    .constructSingleDocument(
                            BoundedParser.composer(SETTINGS, json).getSingleNode());
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
        }
    }
}
