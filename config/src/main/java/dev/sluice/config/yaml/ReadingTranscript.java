package dev.sluice.config.yaml;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A record of a reading: the keys of each section, and the defaults of absent ones, so that the configuration in effect
 * can be printed in full without a second reading.
 */
public final class ReadingTranscript {
    private final IdentityHashMap<Node, List<String>> keys = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Map<String, Object>> fallbacks = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Object> meanings = new IdentityHashMap<>();

    /** Creates an empty instance. */
    ReadingTranscript() {}

    /** Records a section with the keys that it may have. */
    public void section(MappingNode section, List<String> knownKeys) {
        keys.put(section, knownKeys);
    }

    /**
     * Records the default of an absent key.
     *
     * @param value a text or a number, or a node for a section without keys
     */
    public void fallback(MappingNode section, String key, Object value) {
        fallbacks.computeIfAbsent(section, _ -> new LinkedHashMap<>()).put(key, value);
    }

    /** Removes the default of an absent key. */
    public void noFallback(MappingNode section, String key) {
        Map<String, Object> ofSection = fallbacks.get(section);
        if (ofSection != null) {
            ofSection.remove(key);
        }
    }

    /** Records the value to print in place of a text: of a relative path, a variable, or a secret. */
    void meaning(Node value, Object meaning) {
        meanings.put(value, meaning);
    }

    /** Returns the keys that a section may have; null when it was not read as one with fixed keys. */
    public @Nullable List<String> keysOf(Node section) {
        return keys.get(section);
    }

    /** Returns the default of an absent key; null: none. */
    public @Nullable Object fallbackOf(Node section, String key) {
        return fallbacks.getOrDefault(section, Map.of()).get(key);
    }

    /** Returns the value to print in place of a text; null: the text itself. */
    public @Nullable Object meaningOf(Node value) {
        return meanings.get(value);
    }
}
