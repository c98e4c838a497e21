package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One configuration out of several files: lists are put one behind the other, and so are sections whose keys are names.
 * Every other key may stand in one file only; that it stands in two shows when the result is read. Nodes keep their places.
 */
final class MergedRoot {
    private static final List<String> LISTS = List.of("listeners");
    private static final List<String> NAMED = List.of("certificates", "backends");

    private final Map<String, NodeTuple> merged = new LinkedHashMap<>();
    private final List<NodeTuple> others = new ArrayList<>();

    private MergedRoot() {}

    /**
     * Puts files together.
     *
     * @param parts the first of which may be anything, all others sections
     */
    static Node of(List<Node> parts) {
        if (parts.size() == 1 || !(parts.getFirst() instanceof MappingNode first)) {
            return parts.getFirst();
        }
        MergedRoot root = new MergedRoot();
        for (Node part : parts) {
            ((MappingNode) part).getValue().forEach(root::add);
        }
        List<NodeTuple> all = new ArrayList<>(root.merged.values());
        all.addAll(root.others);
        return new MappingNode(first.getTag(), true, all, FlowStyle.BLOCK, first.getStartMark(), first.getEndMark());
    }

    private void add(NodeTuple tuple) {
        String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
        NodeTuple before = merged.get(key);
        if (before != null && LISTS.contains(key)) {
            merged.put(key, new NodeTuple(before.getKeyNode(), joined(before.getValueNode(), tuple.getValueNode())));
        } else if (before != null
                && before.getValueNode() instanceof MappingNode left
                && tuple.getValueNode() instanceof MappingNode right) {
            merged.put(key, new NodeTuple(before.getKeyNode(), joined(left, right)));
        } else if (before == null && (LISTS.contains(key) || NAMED.contains(key))) {
            merged.put(key, tuple);
        } else {
            others.add(tuple);
        }
    }

    private static Node joined(Node left, Node right) {
        List<Node> items = new ArrayList<>(itemsOf(left));
        items.addAll(itemsOf(right));
        return new SequenceNode(Tag.SEQ, true, items, FlowStyle.BLOCK, left.getStartMark(), left.getEndMark());
    }

    private static List<Node> itemsOf(Node node) {
        return node instanceof SequenceNode sequence ? sequence.getValue() : List.of(node);
    }

    private static Node joined(MappingNode left, MappingNode right) {
        List<NodeTuple> entries = new ArrayList<>(left.getValue());
        entries.addAll(right.getValue());
        return new MappingNode(left.getTag(), true, entries, FlowStyle.BLOCK, left.getStartMark(), left.getEndMark());
    }
}
