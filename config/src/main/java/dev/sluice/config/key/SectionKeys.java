package dev.sluice.config.key;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The keys of one section, in the order in which a configuration is printed. Immutable.
 *
 * @param name the section's name in the JSON Schema
 * @param path the section's place in a file: {@code listeners[].routes[]}; "" for the root
 * @param title the heading on the reference page
 * @param text the line under it
 * @param keys the keys
 * @param alternatives keys of which exactly one must be there; empty: no such rule
 * @param companions keys that need others beside them
 */
public record SectionKeys(
        String name,
        String path,
        String title,
        String text,
        List<Key> keys,
        List<Key> alternatives,
        Map<Key, List<Key>> companions) {
    /** Copies the lists. */
    public SectionKeys {
        keys = List.copyOf(keys);
        alternatives = List.copyOf(alternatives);
    }

    /** Declares a section without rules about which keys go together. */
    SectionKeys(String name, String path, String title, String text, List<Key> keys) {
        this(name, path, title, text, keys, List.of(), Map.of());
    }

    /** Declares a section with keys of which exactly one must be there. */
    SectionKeys(String name, String path, String title, String text, List<Key> keys, List<Key> alternatives) {
        this(name, path, title, text, keys, alternatives, Map.of());
    }

    /** Returns the names of the keys, in order. */
    public List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /** Returns the names of the keys that hold sections in a certain shape. */
    public Set<String> names(KeyType.Shape shape) {
        return keys.stream()
                .filter(key -> key.type() instanceof KeyType.Group group && group.shape() == shape)
                .map(Key::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the path of a key of this section. */
    String pathOf(Key key) {
        return path.isEmpty() ? key.name() : path + "." + key.name();
    }

    @Override
    public String toString() {
        return path.isEmpty() ? title : path;
    }
}
