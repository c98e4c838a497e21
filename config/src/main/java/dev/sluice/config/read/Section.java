package dev.sluice.config.read;

import dev.sluice.config.key.Key;
import dev.sluice.config.key.SectionKeys;
import dev.sluice.config.key.ValueKey;
import dev.sluice.config.yaml.NearestName;
import dev.sluice.config.yaml.Reading;
import dev.sluice.config.yaml.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A section whose keys are declared: unknown and repeated ones are reported when it is read. */
public final class Section {
    private final Reading reading;
    private final MappingNode node;
    private final String name;
    private final SectionKeys keys;
    private final Map<String, Value> values = new LinkedHashMap<>();

    private Section(Value value, MappingNode node, SectionKeys keys) {
        this.reading = value.reading();
        this.node = node;
        this.name = value.name();
        this.keys = keys;
    }

    /** Reads a value as a section, its keys checked; null when it is none, which is reported. */
    public static @Nullable Section of(Value value, SectionKeys keys) {
        List<String> names = keys.names();
        if (!(value.node() instanceof MappingNode node)) {
            value.problem(value.name() + " must be a section with keys (" + String.join(", ", names) + "), not "
                    + value.kind());
            return null;
        }
        Section section = new Section(value, node, keys);
        value.reading().transcript().section(node, names);
        node.getValue().forEach(tuple -> section.add(tuple, names));
        return section;
    }

    private void add(NodeTuple tuple, List<String> known) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "(not text)";
        if (!known.contains(key)) {
            reading.problems()
                    .add(tuple.getKeyNode(), "unknown key \"" + key + "\" in " + name + NearestName.hint(key, known));
            return;
        }
        Value before = values.putIfAbsent(key, new Value(reading, tuple.getValueNode(), key));
        if (before != null) {
            reading.problems()
                    .add(
                            tuple.getKeyNode(),
                            "key \"" + key + "\" is set twice in " + name + ", here and at " + before.place()
                                    + "; remove one");
        }
    }

    /** Reports a problem of the section as a whole. */
    void problem(String message) {
        reading.problems().add(node, message);
    }

    /**
     * Returns the value of a key; null when the key is absent.
     *
     * @throws IllegalArgumentException when the key is not declared for this section
     */
    public @Nullable Value find(Key key) {
        if (!keys.keys().contains(key)) {
            throw new IllegalArgumentException("the key " + key + " is not declared for " + keys);
        }
        return values.get(key.name());
    }

    /** Returns the value of a key; when it is absent, an empty section, so that its defaults are printed. */
    Value findOrEmpty(Key key) {
        Value value = find(key);
        if (value != null) {
            return value;
        }
        MappingNode empty =
                new MappingNode(Tag.MAP, true, List.of(), FlowStyle.BLOCK, node.getStartMark(), node.getEndMark());
        reading.transcript().fallback(node, key.name(), empty);
        return new Value(reading, empty, key.name());
    }

    /** Returns the value of a required key; null when it is absent, which is reported. */
    @Nullable
    Value require(Key key) {
        Value value = find(key);
        if (value == null) {
            problem(name + " lacks the key \"" + key + "\"; add for example " + key + ": " + key.example());
        }
        return value;
    }

    /** Returns what a key holds; its default when it is absent, or when its value is not of its type. */
    <T> T get(ValueKey<T> key) {
        return get(key, key.fallback());
    }

    /** Returns what a key holds; a fallback in place of its default when that depends on other keys. */
    <T> T get(ValueKey<T> key, T fallback) {
        Value value = find(key);
        if (value != null) {
            return key.type().read(value, fallback);
        }
        Object written = key.type().written(fallback);
        if (written != null) {
            reading.transcript().fallback(node, key.name(), written);
        }
        return fallback;
    }

    /** Returns the text of a key; null when the key is absent, or holds none, which is reported. */
    @Nullable
    String text(Key key) {
        Value value = find(key);
        return value == null ? null : value.text();
    }

    /** Returns the texts of a key; none when the key is absent. */
    List<String> texts(Key key) {
        Value value = find(key);
        return value == null ? List.of() : value.texts();
    }

    /** Takes the default of an absent key back: it has no effect here, and is not printed. */
    void withdrawDefault(Key key) {
        reading.transcript().noFallback(node, key.name());
    }
}
