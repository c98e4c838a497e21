package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A writer into a {@link TargetTree} on behalf of one thread. Directories are opened from the root by their path,
 * without following symbolic links; the last one stays open.
 */
public final class TargetFiles implements AutoCloseable {
    /** The comparison of an entry with what the target has. */
    public enum Presence {
        /** Nothing has the name. */
        ABSENT,
        /** A regular file of other size or time has the name. */
        DIFFERENT,
        /** A regular file of the same size and time has the name. */
        SAME
    }

    private static final int PRIVATE_DIRECTORY = 0700;
    private static final int PRIVATE_FILE = 0600;

    /** The permissions that are taken from a peer: without set-user-ID, set-group-ID and the sticky bit. */
    private static final int PERMISSIONS_MASK = 0777;

    private final TargetTree tree;
    private final FileAccess files = new FileAccess();
    private @Nullable TargetDirectory current;
    private int currentFd = -1;

    /** Creates a writer for the calling thread. */
    public TargetFiles(TargetTree tree) {
        this.tree = tree;
    }

    /** Returns the system calls of this thread. */
    public FileAccess access() {
        return files;
    }

    // ---- directories

    /**
     * Creates a directory, or enters an existing one.
     *
     * @throws TransferException when something else has the name, or the file system refuses
     */
    public TargetDirectory enter(TargetDirectory parent, Entry entry) throws TransferException {
        int parentFd = directoryFd(parent);
        int made = files.makeDirectory(parentFd, entry.name(), PRIVATE_DIRECTORY);
        if (made < 0 && made != -Errno.EEXIST) {
            throw TransferException.of("mkdirat", Names.join(parent.path(), entry.name()), made);
        }
        if (made < 0) {
            int fd = files.openDirectory(parentFd, entry.name());
            if (fd < 0) {
                throw TransferException.of("openat", Names.join(parent.path(), entry.name()), fd);
            }
            if (files.stat(fd) == 0 && (files.permissions() & PRIVATE_DIRECTORY) != PRIVATE_DIRECTORY) {
                files.setPermissions(fd, files.permissions() | PRIVATE_DIRECTORY);
            }
            FileAccess.close(fd);
        }
        return parent.child(entry, made == 0);
    }

    /**
     * Returns whether a directory exists, for a dry run; its node otherwise counts as new.
     *
     * @throws TransferException when something else has the name
     */
    public TargetDirectory enterWithoutWriting(TargetDirectory parent, Entry entry) throws TransferException {
        boolean exists = false;
        if (!parent.isCreated()) {
            exists = files.stat(directoryFd(parent), entry.name()) == 0;
            if (exists && files.kind() != FileConstants.S_IFDIR) {
                throw TransferException.of("openat", Names.join(parent.path(), entry.name()), Errno.ENOTDIR);
            }
        }
        return parent.child(entry, !exists);
    }

    /** Sets the permissions, time and attributes of a directory that is complete, except of the root. */
    public void finish(TargetDirectory directory) throws TransferException {
        Entry entry = directory.entry();
        if (entry != null) {
            int fd = directoryFd(directory);
            setAttributes(fd, entry, directory.path());
            check(files.setPermissions(fd, entry.mode() & PERMISSIONS_MASK), "fchmod", directory.path());
            check(files.setTime(fd, entry.mtimeSeconds(), entry.mtimeNanos()), "futimens", directory.path());
        }
        if (tree.policy().durability() == TargetPolicy.Durability.DEVICE) {
            check(files.sync(directoryFd(directory)), "fsync", directory.path());
        }
    }

    private int directoryFd(TargetDirectory directory) throws TransferException {
        if (current == directory) {
            return currentFd;
        }
        int fd = files.openDirectoryBeneath(tree.rootFd(), directory.path());
        if (fd < 0) {
            throw TransferException.of("openat2", directory.path(), fd);
        }
        FileAccess.close(currentFd);
        currentFd = fd;
        current = directory;
        return fd;
    }

    // ---- symbolic links

    /**
     * Creates a symbolic link, or replaces one.
     *
     * @return false when the same one was there
     * @throws TransferException when the policy or the file system refuses
     */
    public boolean link(TargetDirectory directory, Entry entry) throws TransferException {
        byte[] path = Names.join(directory.path(), entry.name());
        checkLink(directory, entry, path);
        int fd = directoryFd(directory);
        byte[] existing = directory.isCreated() ? null : files.readLink(fd, entry.name());
        if (existing != null && Arrays.equals(existing, entry.linkTarget())) {
            return false;
        }
        byte[] temporary = Names.temporary(entry.name());
        int result = files.symlink(entry.linkTarget(), fd, temporary);
        if (result == -Errno.EEXIST) {
            check(files.remove(fd, temporary), "unlinkat", path);
            result = files.symlink(entry.linkTarget(), fd, temporary);
        }
        check(result, "symlinkat", path);
        files.setTimeOf(fd, temporary, entry.mtimeSeconds(), entry.mtimeNanos());
        rename(fd, temporary, entry, path);
        return true;
    }

    /** Checks that the policy permits a symbolic link. */
    public void checkLink(TargetDirectory directory, Entry entry, byte[] path) throws TransferException {
        boolean permitted = switch (tree.policy().symlinks()) {
            case ALL -> true;
            case WITHIN_TREE -> Names.staysWithin(directory.path(), entry.linkTarget());
            case NONE -> false;
        };
        if (!permitted) {
            throw new TransferException(
                    TransferFailure.LINK_LEAVES_TREE,
                    "symbolic link refused: path=" + Names.printable(path) + ", target="
                            + Names.printable(entry.linkTarget()));
        }
    }

    // ---- files

    /**
     * Compares a file's entry with the target.
     *
     * @throws TransferException when another kind of file has the name, or existing files are kept
     */
    public Presence presence(TargetDirectory directory, Entry entry) throws TransferException {
        if (directory.isCreated()) {
            return Presence.ABSENT;
        }
        int result = files.stat(directoryFd(directory), entry.name());
        if (result == -Errno.ENOENT) {
            return Presence.ABSENT;
        }
        byte[] path = Names.join(directory.path(), entry.name());
        check(result, "statx", path);
        if (files.kind() == FileConstants.S_IFDIR) {
            throw TransferException.of("statx", path, Errno.EISDIR);
        }
        if (files.kind() == FileConstants.S_IFREG
                && files.isVersion(entry.size(), entry.mtimeSeconds(), entry.mtimeNanos())) {
            return Presence.SAME;
        }
        if (tree.policy().existing() == TargetPolicy.Existing.KEEP) {
            throw TransferException.of("statx", path, Errno.EEXIST);
        }
        return files.kind() == FileConstants.S_IFREG ? Presence.DIFFERENT : Presence.ABSENT;
    }

    /** Sets the permissions of a file that is the same besides. */
    public void refreshPermissions(TargetDirectory directory, Entry entry) throws TransferException {
        int wanted = entry.mode() & PERMISSIONS_MASK;
        int directoryFd = directoryFd(directory);
        if (files.stat(directoryFd, entry.name()) < 0 || files.permissions() == wanted) {
            return;
        }
        int fd = files.openAt(directoryFd, entry.name(), FileConstants.O_RDONLY, 0);
        if (fd >= 0) {
            files.setPermissions(fd, wanted);
            FileAccess.close(fd);
        }
    }

    /**
     * Opens the temporary file of an entry, new or left by an earlier attempt.
     *
     * @param keepContents true when the contents of an earlier attempt or of the existing file are of use
     * @throws TransferException when the file system refuses, or another process writes the same file
     */
    public PartialFile open(TargetDirectory directory, Entry entry, boolean keepContents) throws TransferException {
        byte[] path = Names.join(directory.path(), entry.name());
        byte[] temporary = Names.temporary(entry.name());
        int directoryFd = directoryFd(directory);
        boolean resumed = false;
        int fd = create(directoryFd, temporary);
        if (fd == -Errno.EEXIST) {
            fd = reopen(directoryFd, temporary);
            resumed = fd >= 0;
        }
        if (fd == -Errno.ELOOP) {
            check(files.remove(directoryFd, temporary), "unlinkat", path);
            resumed = false;
            fd = create(directoryFd, temporary);
        }
        check(fd, "openat", path);
        int oldFd = -1;
        try {
            check(files.lock(fd), "flock", path);
            checkUnmoved(directoryFd, temporary, fd, path);
            if (resumed && !keepContents) {
                check(files.truncate(fd, 0), "ftruncate", path);
            }
            if (entry.size() > FileAccess.BUFFER_BYTES || entry.sparse()) {
                check(files.truncate(fd, entry.size()), "ftruncate", path);
            }
        } catch (TransferException e) {
            FileAccess.close(fd);
            throw e;
        }
        if (keepContents && !directory.isCreated()) {
            oldFd = files.openAt(directoryFd, entry.name(), FileConstants.O_RDONLY | Constants.O_NONBLOCK, 0);
        }
        return new PartialFile(directory, entry, fd, resumed && keepContents, Math.max(oldFd, -1));
    }

    private int create(int directoryFd, byte[] temporary) {
        int flags = FileConstants.O_RDWR | FileConstants.O_CREAT | FileConstants.O_EXCL;
        return files.openAt(directoryFd, temporary, flags, PRIVATE_FILE);
    }

    /** Opens an existing temporary file; ELOOP stands for anything that is not a file of its own. */
    private int reopen(int directoryFd, byte[] temporary) {
        int fd = files.openAt(directoryFd, temporary, FileConstants.O_RDWR | Constants.O_NONBLOCK, 0);
        if (fd < 0) {
            return fd;
        }
        if (files.stat(fd) < 0 || files.kind() != FileConstants.S_IFREG || files.links() > 1) {
            FileAccess.close(fd);
            return -Errno.ELOOP;
        }
        return fd;
    }

    /** Checks that a locked file still has its name: another process may have renamed it before it was locked. */
    private void checkUnmoved(int directoryFd, byte[] temporary, int fd, byte[] path) throws TransferException {
        check(files.stat(fd), "statx", path);
        long inode = files.inode();
        if (files.stat(directoryFd, temporary) < 0 || files.inode() != inode) {
            throw new TransferException(TransferFailure.BUSY, "file renamed: path=" + Names.printable(path));
        }
    }

    /**
     * Gives a complete file its attributes and its name, and closes it.
     *
     * @throws TransferException when the file system refuses; the temporary file stays
     */
    public void complete(PartialFile file) throws TransferException {
        Entry entry = file.entry();
        byte[] path = file.path();
        try {
            setAttributes(file.fd(), entry, path);
            check(files.setPermissions(file.fd(), entry.mode() & PERMISSIONS_MASK), "fchmod", path);
            check(files.setTime(file.fd(), entry.mtimeSeconds(), entry.mtimeNanos()), "futimens", path);
            if (tree.policy().durability() == TargetPolicy.Durability.DEVICE) {
                check(files.sync(file.fd()), "fsync", path);
            }
            rename(directoryFd(file.directory()), Names.temporary(entry.name()), entry, path);
        } finally {
            FileAccess.close(file.fd());
            FileAccess.close(file.oldFd());
        }
    }

    /** Closes a file that is not complete; its contents stay for the next attempt if that is worth it. */
    public void abandon(PartialFile file, boolean keepContents) throws TransferException {
        try {
            if (!keepContents) {
                files.remove(
                        directoryFd(file.directory()),
                        Names.temporary(file.entry().name()));
            }
        } finally {
            FileAccess.close(file.fd());
            FileAccess.close(file.oldFd());
        }
    }

    private void setAttributes(int fd, Entry entry, byte[] path) throws TransferException {
        for (ExtendedAttribute attribute : entry.attributes()) {
            int result = files.setAttribute(fd, attribute);
            // The disk is not full: file systems limit the attributes of one file, ext4 to one block.
            boolean tooLong = result == -Errno.ENOSPC || result == -Errno.EDQUOT;
            if (tooLong) {
                throw new TransferException(
                        TransferFailure.IO_ERROR,
                        "extended attribute too long for the file system: path=" + Names.printable(path) + ", bytes="
                                + attribute.bytes());
            }
            if (result != -Errno.EOPNOTSUPP) {
                check(result, "fsetxattr", path);
            }
        }
    }

    private void rename(int directoryFd, byte[] temporary, Entry entry, byte[] path) throws TransferException {
        boolean keep = tree.policy().existing() == TargetPolicy.Existing.KEEP;
        int result = files.rename(directoryFd, temporary, entry.name(), keep ? FileConstants.RENAME_NOREPLACE : 0);
        if (result < 0) {
            if (entry.kind() == EntryKind.SYMLINK) {
                files.remove(directoryFd, temporary);
            }
            throw TransferException.of("renameat2", path, result);
        }
    }

    private static void check(int result, String call, byte[] path) throws TransferException {
        if (result < 0) {
            throw TransferException.of(call, path, result);
        }
    }

    @Override
    public void close() {
        FileAccess.close(currentFd);
        currentFd = -1;
        current = null;
        files.close();
    }
}
