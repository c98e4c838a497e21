package dev.sluice.transfer.tree;

import java.util.List;

/**
 * An entry of a manifest.
 *
 * @param name its name in its directory; empty for {@link EntryKind#END}
 * @param mode the permission bits
 * @param mtimeSeconds the modification time since 1970
 * @param mtimeNanos the nanoseconds beyond the seconds
 * @param size of a regular file in bytes
 * @param sparse true for a regular file that has holes
 * @param linkTarget the contents of a symbolic link
 * @param attributes the extended attributes, where they are wanted
 * @param failure the reason of {@link EntryKind#SKIPPED}
 */
@SuppressWarnings("ArrayRecordComponent")
public record Entry(
        EntryKind kind,
        byte[] name,
        int mode,
        long mtimeSeconds,
        int mtimeNanos,
        long size,
        boolean sparse,
        byte[] linkTarget,
        List<ExtendedAttribute> attributes,
        TransferFailure failure) {
    private static final byte[] NOTHING = {};

    /** The end of a directory. */
    public static final Entry END =
            new Entry(EntryKind.END, NOTHING, 0, 0, 0, 0, false, NOTHING, List.of(), TransferFailure.NONE);

    /** Creates the entry of a directory. */
    public static Entry directory(byte[] name, int mode, long mtimeSeconds, int mtimeNanos) {
        return new Entry(
                EntryKind.DIRECTORY,
                name,
                mode,
                mtimeSeconds,
                mtimeNanos,
                0,
                false,
                NOTHING,
                List.of(),
                TransferFailure.NONE);
    }

    /** Creates the entry of a regular file. */
    public static Entry file(byte[] name, int mode, long mtimeSeconds, int mtimeNanos, long size, boolean sparse) {
        return new Entry(
                EntryKind.FILE,
                name,
                mode,
                mtimeSeconds,
                mtimeNanos,
                size,
                sparse,
                NOTHING,
                List.of(),
                TransferFailure.NONE);
    }

    /** Creates the entry of a symbolic link. */
    public static Entry symlink(byte[] name, long mtimeSeconds, int mtimeNanos, byte[] target) {
        return new Entry(
                EntryKind.SYMLINK,
                name,
                0,
                mtimeSeconds,
                mtimeNanos,
                0,
                false,
                target,
                List.of(),
                TransferFailure.NONE);
    }

    /** Creates the entry of a file that is not sent. */
    public static Entry skipped(byte[] name, TransferFailure failure) {
        return new Entry(EntryKind.SKIPPED, name, 0, 0, 0, 0, false, NOTHING, List.of(), failure);
    }

    /** Returns the same entry with extended attributes. */
    public Entry with(List<ExtendedAttribute> list) {
        return new Entry(
                kind, name, mode, mtimeSeconds, mtimeNanos, size, sparse, linkTarget, List.copyOf(list), failure);
    }
}
