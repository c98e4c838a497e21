package dev.sluice.transfer.tree;

import org.jspecify.annotations.Nullable;

/** The kinds of entries of a manifest. The {@link #code()} goes over the wire. */
public enum EntryKind {
    /** A directory; its entries follow, up to the matching {@link #END}. */
    DIRECTORY(1),
    /** A regular file. */
    FILE(2),
    /** A symbolic link. */
    SYMLINK(3),
    /** The end of the innermost open directory. */
    END(4),
    /** A file that the source does not send, with its reason. */
    SKIPPED(5);

    private final int code;

    EntryKind(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the kind with a number, or null. */
    public static @Nullable EntryKind of(int code) {
        for (EntryKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
