package dev.sluice.config.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One configuration merged from several files: lists are concatenated, and so are sections whose keys are names. Every
 * other key may stand in one file only, which is checked when the result is read. Nodes keep their positions.
 */
public final class MergedRoot {
    private final Set<String> lists;
    private final Set<String> named;
    private final Map<String, NodeTuple> merged = new LinkedHashMap<>();
    private final List<NodeTuple> others = new ArrayList<>();

    private MergedRoot(Set<String> lists, Set<String> named) {
        this.lists = lists;
        this.named = named;
    }

    /**
     * Merges files.
     *
     * @param parts the files' nodes: the first may be anything, all others are sections
     * @param lists the keys of lists
     * @param named the keys of sections whose keys are names
     */
    public static Node of(List<Node> parts, Set<String> lists, Set<String> named) {
        if (parts.size() == 1 || !(parts.getFirst() instanceof MappingNode first)) {
            return parts.getFirst();
        }
        MergedRoot root = new MergedRoot(lists, named);
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
        if (before != null && lists.contains(key)) {
            merged.put(key, new NodeTuple(before.getKeyNode(), joined(before.getValueNode(), tuple.getValueNode())));
        } else if (before != null
                && before.getValueNode() instanceof MappingNode left
                && tuple.getValueNode() instanceof MappingNode right) {
            merged.put(key, new NodeTuple(before.getKeyNode(), joined(left, right)));
        } else if (before == null && (lists.contains(key) || named.contains(key))) {
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
