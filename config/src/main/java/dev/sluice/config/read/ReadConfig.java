package dev.sluice.config.read;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Problems;
import dev.sluice.config.yaml.Reading;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A configuration that can be served, with the positions of its parts for messages. */
public final class ReadConfig {
    private final GatewayConfig config;
    private final ConfigSource source;
    private final Node root;
    private final Reading reading;

    ReadConfig(GatewayConfig config, ConfigSource source, Node root, Reading reading) {
        this.config = config;
        this.source = source;
        this.root = root;
        this.reading = reading;
    }

    /** Returns the configuration. */
    public GatewayConfig config() {
        return config;
    }

    /** Returns the configuration as one YAML file: defaults filled in, paths absolute, passwords left out. */
    public String effective() {
        return EffectiveYaml.of(root, reading);
    }

    /**
     * Returns a message about a part.
     *
     * @param path the keys that lead there, and numbers, from 0, for elements of lists; an absent key stands for its
     *     section
     */
    public ConfigProblem at(String message, Object... path) {
        Node node = root;
        for (Object step : path) {
            Node next = child(node, step);
            if (next.equals(node)) {
                break;
            }
            node = next;
        }
        return Problems.at(source.path().toString(), node.getStartMark(), message);
    }

    private static Node child(Node node, Object step) {
        if (node instanceof SequenceNode list && step instanceof Integer index) {
            return index < list.getValue().size() ? list.getValue().get(index) : node;
        }
        if (node instanceof MappingNode section) {
            for (NodeTuple tuple : section.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key
                        && key.getValue().equals(step)) {
                    return tuple.getValueNode();
                }
            }
        }
        return node;
    }
}
