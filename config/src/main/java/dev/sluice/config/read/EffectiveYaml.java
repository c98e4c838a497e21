package dev.sluice.config.read;

import dev.sluice.config.key.TopKeys;
import dev.sluice.config.yaml.Environment;
import dev.sluice.config.yaml.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A writer of the configuration in effect as one file, without includes and variables: all keys in the order of the
 * catalogue, defaults included. The gateway accepts that file, and serves the same.
 */
final class EffectiveYaml {
    private final Reading reading;

    private EffectiveYaml(Reading reading) {
        this.reading = reading;
    }

    /** Returns the text of a root that was read without problems. */
    static String of(Node root, Reading reading) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setSplitLines(false)
                .build();
        return new Dump(settings).dumpToString(new EffectiveYaml(reading).plain(root));
    }

    private Object plain(Node node) {
        Object meaning = reading.transcript().meaningOf(node);
        if (meaning != null) {
            return meaning;
        }
        return switch (node) {
            case MappingNode mapping -> section(mapping);
            case SequenceNode sequence ->
                sequence.getValue().stream().map(this::plain).toList();
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new IllegalStateException("not a node of a composed file: " + node);
        };
    }

    private Map<String, Object> section(MappingNode mapping) {
        Map<String, Object> there = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            there.put(((ScalarNode) tuple.getKeyNode()).getValue(), plain(tuple.getValueNode()));
        }
        List<String> known = reading.transcript().keysOf(mapping);
        if (known == null) {
            return there;
        }
        Map<String, Object> full = new LinkedHashMap<>();
        for (String key : known) {
            Object value = there.containsKey(key) ? there.get(key) : fallback(mapping, key);
            if (value != null && !key.equals(TopKeys.INCLUDE.name())) {
                full.put(key, value);
            }
        }
        return full;
    }

    private @Nullable Object fallback(MappingNode section, String key) {
        Object noted = reading.transcript().fallbackOf(section, key);
        return noted instanceof Node node ? plain(node) : noted;
    }

    /** Returns a scalar as it was written: a number without quotes is one again. */
    private Object scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
        if (plain && Tag.INT.equals(scalar.getTag()) && text.matches("-?(0|[1-9][0-9]{0,17})")) {
            return Long.valueOf(text);
        }
        if (plain && Tag.BOOL.equals(scalar.getTag())) {
            return Boolean.valueOf(text);
        }
        if (Environment.isPlain(text)) {
            return text;
        }
        String substituted = reading.text(scalar);
        return substituted == null ? text : Environment.escaped(substituted);
    }
}
