package dev.sluice.transfer.mount;

import dev.sluice.transfer.files.FileAttributes;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file, directory or link that the kernel knows by a number. Guarded by the mount's lock. */
final class Node {
    /** The number that the kernel uses. */
    final long number;

    /** A value that tells the nodes that have the same number at different times apart. */
    final long generation;

    /** The directory; null for the root and for what has been removed. */
    @Nullable
    Node parent;

    byte[] name;

    /** The kernel's references. */
    long references;

    /** The size as last observed, and by our writes since. */
    long size;

    /** The first of the open files, by which a removed one is still reached. */
    private @Nullable OpenFile opened;

    private final Map<ByteBuffer, Node> children = new HashMap<>();
    private int kind;
    private long inode;
    private long seconds;
    private int nanos;

    /** Creates a node. */
    Node(long number, long generation, @Nullable Node parent, byte[] name) {
        this.number = number;
        this.generation = generation;
        this.parent = parent;
        this.name = name;
    }

    @Nullable
    Node child(byte[] childName) {
        return children.get(ByteBuffer.wrap(childName));
    }

    void add(Node child) {
        children.put(ByteBuffer.wrap(child.name), child);
    }

    void remove(Node child) {
        children.remove(ByteBuffer.wrap(child.name), child);
    }

    /** Returns an open file of the node, or null. */
    @Nullable
    OpenFile opened() {
        return opened;
    }

    void opened(OpenFile file) {
        file.next = opened;
        opened = file;
    }

    void closed(OpenFile file) {
        if (opened == file) {
            opened = file.next;
            return;
        }
        OpenFile each = opened;
        while (each != null && each.next != file) {
            each = each.next;
        }
        if (each != null) {
            each.next = file.next;
        }
    }

    boolean isUnused() {
        return references == 0 && children.isEmpty();
    }

    /** Returns whether attributes are those of the same file as before, or the first ones. */
    boolean isSameFile(FileAttributes attributes) {
        return kind == 0 || (kind == attributes.kind() && inode == attributes.inode());
    }

    /**
     * Records attributes.
     *
     * @return whether the contents may have changed
     */
    boolean observe(FileAttributes attributes) {
        boolean same = kind != 0
                && isSameFile(attributes)
                && size == attributes.size()
                && seconds == attributes.mtime().seconds()
                && nanos == attributes.mtime().nanos();
        kind = attributes.kind();
        inode = attributes.inode();
        size = attributes.size();
        seconds = attributes.mtime().seconds();
        nanos = attributes.mtime().nanos();
        return !same;
    }
}
