package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseConstants;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.tree.Names;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes that the kernel knows, as a tree of names. Guarded by the mount's lock. */
final class Nodes {
    private static final byte[] NO_NAME = new byte[0];

    private final List<@Nullable Node> all = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final Node root;
    private long generation;

    /** Creates the tree with its root. */
    Nodes() {
        root = new Node(FuseConstants.FUSE_ROOT_ID, generation, null, NO_NAME);
        root.references = 1;
        all.add(root);
    }

    /** Returns the node with a number, or null. */
    @Nullable
    Node node(long number) {
        int index = (int) number - FuseConstants.FUSE_ROOT_ID;
        return index >= 0 && index < all.size() ? all.get(index) : null;
    }

    /** Returns the node of a name with one reference more, which the kernel is about to learn. */
    Node reference(Node parent, byte[] name, FileAttributes attributes) {
        Node node = parent.child(name);
        if (node != null && !node.isSameFile(attributes)) {
            detach(node);
            node = null;
        }
        if (node == null) {
            node = create(parent, name);
        }
        node.references++;
        return node;
    }

    private Node create(Node parent, byte[] name) {
        Integer index = free.poll();
        if (index == null) {
            index = all.size();
            all.add(null);
        } else {
            generation++;
        }
        Node node = new Node(index + FuseConstants.FUSE_ROOT_ID, generation, parent, name);
        all.set(index, node);
        parent.add(node);
        return node;
    }

    /** Drops references of the kernel. */
    void forget(long number, long references) {
        Node node = node(number);
        if (node != null && node != root) {
            node.references = Math.max(0, node.references - references);
            releaseUnused(node);
        }
    }

    private void releaseUnused(Node node) {
        Node each = node;
        while (each != null && each != root && each.isUnused()) {
            Node parent = each.parent;
            detach(each);
            int index = (int) each.number - FuseConstants.FUSE_ROOT_ID;
            all.set(index, null);
            free.add(index);
            each = parent;
        }
    }

    /** Removes a node's name; the kernel may still refer to it. */
    void detach(Node node) {
        Node parent = node.parent;
        if (parent != null) {
            parent.remove(node);
            node.parent = null;
        }
    }

    /** Gives a node another name. */
    void move(Node node, Node parent, byte[] name) {
        detach(node);
        node.parent = parent;
        node.name = name;
        parent.add(node);
    }

    /** Returns whether a node and all directories on the way to it have names. */
    boolean isReachable(Node node) {
        Node each = node;
        while (each != null && each != root) {
            each = each.parent;
        }
        return each == root;
    }

    /**
     * Returns the path of a name in a directory; the directory's for no name. Null when a node on the way has been
     * removed, or the path is too long.
     */
    byte @Nullable [] path(Node directory, byte[] name) {
        Deque<byte[]> names = new ArrayDeque<>();
        if (name.length > 0) {
            names.push(name);
        }
        Node each = directory;
        while (each != root) {
            names.push(each.name);
            Node parent = each.parent;
            if (parent == null) {
                return null;
            }
            each = parent;
        }
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        for (byte[] part : names) {
            if (path.size() > 0) {
                path.write('/');
            }
            path.writeBytes(part);
        }
        byte[] bytes = path.toByteArray();
        return Names.isPath(bytes) ? bytes : null;
    }
}
