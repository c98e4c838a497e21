package dev.sluice.gateway.config;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * What the readers have asked for, noted while they read: which keys a section knows, and what stands in for those that
 * are absent. So what will run can be printed in full, and no reader has to be asked a second time.
 */
final class Transcript {
    private final IdentityHashMap<Node, List<String>> keys = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Map<String, Object>> fallbacks = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Object> meanings = new IdentityHashMap<>();

    /** A section was read that knows these keys. */
    void section(MappingNode section, List<String> knownKeys) {
        keys.put(section, knownKeys);
    }

    /**
     * A key is absent, and this holds instead.
     *
     * @param value a text or a number, or a node for a section that was read without keys
     */
    void fallback(MappingNode section, String key, Object value) {
        fallbacks.computeIfAbsent(section, _ -> new LinkedHashMap<>()).put(key, value);
    }

    /** A key is absent, and what was noted of it does not hold after all. */
    void noFallback(MappingNode section, String key) {
        Map<String, Object> ofSection = fallbacks.get(section);
        if (ofSection != null) {
            ofSection.remove(key);
        }
    }

    /** A value comes to something else than its text: a path that was relative, a variable, or what is not to be shown. */
    void meaning(Node value, Object meaning) {
        meanings.put(value, meaning);
    }

    /** The keys that a section knows; null when it was not read as one with fixed keys. */
    @Nullable
    List<String> keysOf(Node section) {
        return keys.get(section);
    }

    /** What holds for an absent key; null: nothing. */
    @Nullable
    Object fallbackOf(Node section, String key) {
        return fallbacks.getOrDefault(section, Map.of()).get(key);
    }

    /** What a value comes to; null: to its text. */
    @Nullable
    Object meaningOf(Node value) {
        return meanings.get(value);
    }
}
