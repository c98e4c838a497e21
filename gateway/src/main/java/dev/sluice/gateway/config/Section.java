package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A section whose keys are fixed: unknown and repeated ones are reported when it is read. */
final class Section {
    private final Reading reading;
    private final MappingNode node;
    private final String name;
    private final Map<String, Value> values = new LinkedHashMap<>();

    private Section(Reading reading, MappingNode node, String name) {
        this.reading = reading;
        this.node = node;
        this.name = name;
    }

    static Section withKnownKeys(Reading reading, MappingNode node, String name, List<String> knownKeys) {
        Section section = new Section(reading, node, name);
        reading.transcript().section(node, knownKeys);
        for (NodeTuple tuple : node.getValue()) {
            section.take(tuple, knownKeys);
        }
        return section;
    }

    private void take(NodeTuple tuple, List<String> knownKeys) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "(not text)";
        if (!knownKeys.contains(key)) {
            reading.problems()
                    .add(
                            tuple.getKeyNode(),
                            "unknown key \"" + key + "\" in " + name + NearestName.hint(key, knownKeys));
            return;
        }
        Value before = values.putIfAbsent(key, new Value(reading, tuple.getValueNode(), key));
        if (before != null) {
            reading.problems()
                    .add(
                            tuple.getKeyNode(),
                            "key \"" + key + "\" stands twice in " + name + ", here and at " + before.place()
                                    + "; remove one");
        }
    }

    /** Reports something wrong with the section as a whole. */
    void problem(String message) {
        reading.problems().add(node, message);
    }

    /** What stands under a key; null when the key is absent. */
    @Nullable
    Value find(String key) {
        return values.get(key);
    }

    /** What stands under a key; when it is absent a section without keys, which tells the defaults of those it could have. */
    Value findOrEmpty(String key) {
        Value value = values.get(key);
        if (value != null) {
            return value;
        }
        MappingNode empty =
                new MappingNode(Tag.MAP, true, List.of(), FlowStyle.BLOCK, node.getStartMark(), node.getEndMark());
        reading.transcript().fallback(node, key, empty);
        return new Value(reading, empty, key);
    }

    /** Nothing holds for a key that is absent, although a default was asked for. */
    void hasNoDefault(String key) {
        reading.transcript().noFallback(node, key);
    }

    private <T> T absent(String key, T fallback, Object written) {
        reading.transcript().fallback(node, key, written);
        return fallback;
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
        if (value != null) {
            return value.integer(least, most, fallback);
        }
        // A default that could not be configured stands for the absence of something.
        return fallback < least || fallback > most ? fallback : absent(key, fallback, fallback);
    }

    Duration duration(String key, Duration least, Duration most, Duration fallback) {
        Value value = find(key);
        if (value != null) {
            return value.duration(least, most, fallback);
        }
        return fallback.compareTo(least) < 0 ? fallback : absent(key, fallback, Quantities.text(fallback));
    }

    /** A number from 0; NaN for off. */
    double decimalOrOff(String key, double most, double fallback) {
        Value value = find(key);
        return value == null ? absent(key, fallback, Quantities.plain(fallback)) : value.decimalOrOff(most, fallback);
    }

    /** A duration; null for off. */
    @Nullable
    Duration durationOrOff(String key, Duration least, Duration most, Duration fallback) {
        Value value = find(key);
        if (value != null && value.isOff()) {
            return null;
        }
        return duration(key, least, most, fallback);
    }

    long bytes(String key, long least, long most, long fallback) {
        Value value = find(key);
        return value == null ? absent(key, fallback, Quantities.text(fallback)) : value.bytes(least, most, fallback);
    }

    /** A part of a whole: a number above 0, at most 1; the whole when it is absent. */
    double share(String key) {
        Value value = find(key);
        return value == null ? absent(key, 1.0, 1) : value.share(1);
    }

    boolean onOff(String key, boolean fallback) {
        Value value = find(key);
        return value == null ? absent(key, fallback, fallback ? "on" : "off") : value.onOff(fallback);
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
        return value == null ? absent(key, fallback, word.apply(fallback)) : value.choice(choices, word, fallback);
    }

    /** An enum constant's name as the configuration writes it. */
    static String dashed(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
