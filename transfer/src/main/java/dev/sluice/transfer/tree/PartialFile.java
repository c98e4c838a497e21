package dev.sluice.transfer.tree;

/**
 * A file of the target while it is written under its temporary name. Its descriptors may be used by several threads at
 * distinct offsets.
 *
 * @param directory its directory
 * @param entry its entry in the manifest
 * @param fd the open temporary file, locked
 * @param isResumed true when an earlier attempt left contents
 * @param oldFd the existing file of the final name, for reading; -1 for none
 */
public record PartialFile(TargetDirectory directory, Entry entry, int fd, boolean isResumed, int oldFd) {
    /** Returns the path below the root of the target. */
    public byte[] path() {
        return Names.join(directory.path(), entry.name());
    }
}
