package dev.sluice.transfer.mount;

import org.jspecify.annotations.Nullable;

/** A request in flight: what its answer completes. Reused. Guarded by the mount's lock. */
final class Call {
    Kind kind = Kind.IGNORED;

    /** The kernel's request that is to be answered; 0 for none. */
    long unique;

    /** The directory of a name, or the node of attributes. */
    @Nullable
    Node node;

    byte @Nullable [] name;

    /** A node that was renamed, and where it was before. */
    @Nullable
    Renaming renaming;

    @Nullable
    OpenFile file;

    @Nullable
    OpenDirectory directory;

    @Nullable
    Block block;

    /** The bytes that the kernel asked for, or wrote. */
    int bytes;

    /** The position of a listing. */
    long cookie;

    /** The kernel's layout of a listing. */
    Listing listing = Listing.NAMES;

    /** The completions. */
    enum Kind {
        /** The answer has no reader. */
        IGNORED,
        /** Answers with the errno alone. */
        STATUS,
        /** Answers with the node of a name, or that the name is absent. */
        ENTRY,
        /** Answers with the node of a name that was made. */
        MADE,
        /** Answers with the attributes of a node. */
        ATTRIBUTES,
        /** Answers with an open file. */
        OPENED,
        /** Answers with a node for a name, and an open file. */
        CREATED,
        /** Fills a block, and answers the reads that waited for it. */
        BLOCK,
        /** Answers with data. */
        DATA,
        /** Answers with the bytes written. */
        WRITTEN,
        /** Records the error of a write that has been acknowledged. */
        WRITTEN_BEHIND,
        /** Answers with the error of earlier writes, or the errno. */
        FLUSHED,
        /** Answers with an open directory. */
        DIRECTORY_OPENED,
        /** Answers with entries. */
        PAGE,
        /** Removes a name. */
        REMOVED,
        /** Restores the former name after an error. */
        RENAMED,
        /** Answers with figures of the file system. */
        FIGURES,
        /** Answers with a value, or its size when that was asked for. */
        VALUE
    }

    /** The layouts of a listing. */
    enum Listing {
        /** Names alone. */
        NAMES,
        /** Names with attributes. */
        ENTRIES
    }

    /** The change of names that a rename made. */
    static final class Renaming {
        final Node node;
        final Node formerParent;
        final byte[] formerName;

        /** The node that had the new name. */
        final @Nullable Node replaced;

        /** Records a change. */
        Renaming(Node node, Node formerParent, byte[] formerName, @Nullable Node replaced) {
            this.node = node;
            this.formerParent = formerParent;
            this.formerName = formerName;
            this.replaced = replaced;
        }
    }

    /** Prepares for the next request. */
    void reset(Kind nextKind, long nextUnique) {
        kind = nextKind;
        unique = nextUnique;
        node = null;
        name = null;
        renaming = null;
        file = null;
        directory = null;
        block = null;
        bytes = 0;
    }
}
