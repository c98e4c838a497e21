package dev.sluice.transfer.tree;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the target in which something is not complete. Its permissions and time are set when its last entry
 * is, since every file written into it changes its time, and its permissions may forbid writing.
 *
 * <p>Created by one thread; {@link #completed()} may be called from any.
 */
public final class TargetDirectory {
    /** The root of the target, whose attributes are left alone. */
    private static final byte[] ROOT_PATH = {};

    private final @Nullable TargetDirectory parent;
    private final @Nullable Entry entry;
    private final byte[] path;
    private final boolean created;

    /** Entries in progress, and 1 until the directory's end in the manifest. */
    private final AtomicInteger open = new AtomicInteger(1);

    private TargetDirectory(@Nullable TargetDirectory parent, @Nullable Entry entry, byte[] path, boolean created) {
        this.parent = parent;
        this.entry = entry;
        this.path = path;
        this.created = created;
    }

    /** Returns a root. */
    static TargetDirectory root() {
        return new TargetDirectory(null, null, ROOT_PATH, false);
    }

    /**
     * Returns a directory in this one.
     *
     * @param childCreated true when it is new, so that nothing is in it
     */
    TargetDirectory child(Entry childEntry, boolean childCreated) {
        entered();
        return new TargetDirectory(this, childEntry, Names.join(path, childEntry.name()), childCreated);
    }

    /** Returns the directory's own directory; null for the root. */
    public @Nullable TargetDirectory parent() {
        return parent;
    }

    /** Returns the directory's entry in the manifest; null for the root. */
    public @Nullable Entry entry() {
        return entry;
    }

    /** Returns the path below the root of the target. */
    public byte[] path() {
        return path;
    }

    /** Returns whether this transfer created the directory. */
    public boolean isCreated() {
        return created;
    }

    /** Counts an entry in progress. */
    public void entered() {
        open.incrementAndGet();
    }

    /** Counts a completed entry, or the end of the directory; returns whether it was the last. */
    public boolean completed() {
        return open.decrementAndGet() == 0;
    }
}
