package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A section whose keys are fixed: unknown and repeated ones are reported when it is read. */
final class Section {
    private final Problems problems;
    private final MappingNode node;
    private final String name;
    private final Map<String, Value> values = new LinkedHashMap<>();

    private Section(Problems problems, MappingNode node, String name) {
        this.problems = problems;
        this.node = node;
        this.name = name;
    }

    static Section withKnownKeys(Problems problems, MappingNode node, String name, List<String> knownKeys) {
        Section section = new Section(problems, node, name);
        for (NodeTuple tuple : node.getValue()) {
            section.take(tuple, knownKeys);
        }
        return section;
    }

    private void take(NodeTuple tuple, List<String> knownKeys) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "(not text)";
        if (!knownKeys.contains(key)) {
            problems.add(
                    tuple.getKeyNode(), "unknown key \"" + key + "\" in " + name + NearestName.hint(key, knownKeys));
            return;
        }
        if (values.putIfAbsent(key, new Value(problems, tuple.getValueNode(), key)) != null) {
            problems.add(tuple.getKeyNode(), "key \"" + key + "\" stands twice in " + name + "; remove one");
        }
    }

    /** Reports something wrong with the section as a whole. */
    void problem(String message) {
        problems.add(node, message);
    }

    /** What stands under a key; null when the key is absent. */
    @Nullable
    Value find(String key) {
        return values.get(key);
    }

    /** What stands under a key that must be there; null when it is absent, which is reported. */
    @Nullable
    Value require(String key, String example) {
        Value value = values.get(key);
        if (value == null) {
            problem(name + " lacks the key \"" + key + "\"; add for example " + key + ": " + example);
        }
        return value;
    }

    int integer(String key, int least, int most, int fallback) {
        Value value = find(key);
        return value == null ? fallback : value.integer(least, most, fallback);
    }

    Duration duration(String key, Duration least, Duration most, Duration fallback) {
        Value value = find(key);
        return value == null ? fallback : value.duration(least, most, fallback);
    }

    long bytes(String key, long least, long most, long fallback) {
        Value value = find(key);
        return value == null ? fallback : value.bytes(least, most, fallback);
    }

    boolean onOff(String key, boolean fallback) {
        Value value = find(key);
        return value == null ? fallback : value.onOff(fallback);
    }

    List<String> texts(String key) {
        Value value = find(key);
        return value == null ? new ArrayList<>() : value.texts();
    }

    /** One of an enum's constants, written in lower case with dashes. */
    <E extends Enum<E>> E choice(String key, Class<E> type, E fallback) {
        return choice(key, List.of(type.getEnumConstants()), Section::dashed, fallback);
    }

    <E> E choice(String key, List<E> choices, Function<E, String> word, E fallback) {
        Value value = find(key);
        return value == null ? fallback : value.choice(choices, word, fallback);
    }

    /** An enum constant's name as the configuration writes it. */
    static String dashed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
