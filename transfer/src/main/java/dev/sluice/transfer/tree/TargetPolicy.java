package dev.sluice.transfer.tree;

/**
 * The treatment of what is in the target, or must not get there.
 *
 * @param existing the treatment of existing files that differ
 * @param symlinks the symbolic links that are created
 * @param durability the moment at which a file is renamed
 */
public record TargetPolicy(Existing existing, Symlinks symlinks, Durability durability) {
    /** Replaces files, creates links that stay in the tree, and leaves writing to the page cache. */
    public static final TargetPolicy DEFAULT =
            new TargetPolicy(Existing.REPLACE, Symlinks.WITHIN_TREE, Durability.PAGE_CACHE);

    /** The treatment of existing files that differ. */
    public enum Existing {
        /** They are replaced, once the new contents are complete. */
        REPLACE,
        /** They stay, and count as failed. */
        KEEP
    }

    /** The symbolic links that are created. */
    public enum Symlinks {
        /** All of them. */
        ALL,
        /** Those whose text does not lead out of the tree; others count as failed. */
        WITHIN_TREE,
        /** None. */
        NONE
    }

    /** The moment at which a file gets its name. */
    public enum Durability {
        /** The file is complete in the page cache: it survives the end of the process, not a loss of power. */
        PAGE_CACHE,
        /** The file is complete on the device. */
        DEVICE
    }
}
