package dev.sluice.transfer.export;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.ffi.libc.LibCMounts;
import dev.sluice.ffi.libc.OpenHow;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.Statfs;
import dev.sluice.ffi.libc.Statx;
import dev.sluice.ffi.libc.Timespec;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.tree.Names;
import java.nio.charset.StandardCharsets;

/**
 * System calls on the files of one directory. Paths are those of {@link Names}, checked by the caller; they are
 * resolved beneath the directory, through no symbolic link. Calls return a C result, or a negated errno. Confined to
 * one thread.
 */
final class ExportedTree implements AutoCloseable {
    private static final int RESOLVE =
            FileConstants.RESOLVE_BENEATH | FileConstants.RESOLVE_NO_SYMLINKS | FileConstants.RESOLVE_NO_MAGICLINKS;
    private static final int PLACE = FileConstants.O_PATH | FileConstants.O_NOFOLLOW | FileConstants.O_CLOEXEC;
    /** Neither waits for a pipe's other end nor acquires a terminal. */
    private static final int SAFELY = FileConstants.O_NOFOLLOW | FileConstants.O_CLOEXEC | Constants.O_NONBLOCK;

    private static final int PERMISSIONS = 0777;
    /** Permissions and the sticky bit: neither set-user-ID nor set-group-ID. */
    private static final int SETTABLE_MODE = 01777;

    private static final byte[] HERE = {'.'};
    private static final byte[] NOTHING = new byte[0];

    private static final int HOW_OFFSET = 0;
    private static final int STATX_OFFSET = HOW_OFFSET + OpenHow.BYTES;
    private static final int TIMES_OFFSET = STATX_OFFSET + Statx.BYTES;
    private static final int STATFS_OFFSET = TIMES_OFFSET + 2 * Timespec.BYTES;
    private static final int SCRATCH_BYTES = STATFS_OFFSET + Statfs.BYTES;

    private final int root;
    private final LibCFiles files = new LibCFiles();
    private final LibCMounts mounts = new LibCMounts();
    private final NativePath path = new NativePath();
    private final NativePath otherPath = new NativePath();
    private final long scratch;

    /** Creates access to a directory. */
    ExportedTree(int root) {
        this.root = root;
        this.scratch = LibC.calloc(1, SCRATCH_BYTES);
        if (scratch == 0) {
            throw new OutOfMemoryError("calloc refused " + SCRATCH_BYTES + " bytes");
        }
    }

    @Override
    public void close() {
        LibC.free(scratch);
        path.close();
        otherPath.close();
        mounts.close();
        files.close();
    }

    // ---- attributes

    /** Reads the attributes of what a path names, without following a link. */
    int stat(byte[] file, FileAttributes into) {
        int place = openBeneath(file, PLACE, 0);
        if (place < 0) {
            return place;
        }
        int result = statDescriptor(place, into);
        LibCFiles.closeFd(place);
        return result;
    }

    /** Reads the attributes of an open file. */
    int statDescriptor(int descriptor, FileAttributes into) {
        return statAt(descriptor, NOTHING, FileConstants.AT_EMPTY_PATH, into);
    }

    /** Reads the attributes of a name in an open directory. */
    int statEntry(int directory, byte[] name, FileAttributes into) {
        return statAt(directory, name, FileConstants.AT_SYMLINK_NOFOLLOW, into);
    }

    private int statAt(int descriptor, byte[] name, int flags, FileAttributes into) {
        long statx = scratch + STATX_OFFSET;
        int result = files.statx(descriptor, path.of(name), flags, FileConstants.STATX_BASIC_STATS, statx);
        if (result >= 0) {
            into.readStatx(statx);
        }
        return result;
    }

    /** Changes the attributes whose bits are set, of what a path names, without following a link. */
    int change(byte[] file, Changes changes) {
        int place = openBeneath(file, PLACE, 0);
        if (place < 0) {
            return place;
        }
        int result = changePlace(place, file, changes);
        LibCFiles.closeFd(place);
        return result;
    }

    private int changePlace(int place, byte[] file, Changes changes) {
        int result = 0;
        if (changes.has(FileProtocol.CHANGE_SIZE)) {
            int descriptor = openRegular(file, FileConstants.O_WRONLY, 0);
            if (descriptor < 0) {
                return descriptor;
            }
            result = files.ftruncate(descriptor, changes.size());
            LibCFiles.closeFd(descriptor);
        }
        if (result >= 0 && changes.has(FileProtocol.CHANGE_MODE)) {
            result = changeMode(place, changes.mode());
        }
        return result < 0 ? result : changeTimes(place, changes);
    }

    /** Changes the attributes whose bits are set, of an open file; the size of one that may be written. */
    int changeDescriptor(int descriptor, Changes changes) {
        int result = 0;
        if (changes.has(FileProtocol.CHANGE_SIZE)) {
            result = files.ftruncate(descriptor, changes.size());
        }
        if (result >= 0 && changes.has(FileProtocol.CHANGE_MODE)) {
            result = changeMode(descriptor, changes.mode());
        }
        return result < 0 ? result : changeTimes(descriptor, changes);
    }

    /** Goes through procfs, since fchmod(2) takes no descriptor of a place; a symbolic link has no mode to change. */
    private int changeMode(int place, int mode) {
        if ((mode & ~PERMISSIONS & ~SETTABLE_MODE & 07777) != 0) {
            return -Errno.EPERM;
        }
        FileAttributes now = new FileAttributes();
        int result = statDescriptor(place, now);
        if (result < 0 || now.kind() == FileConstants.S_IFLNK) {
            return result < 0 ? result : -Errno.EOPNOTSUPP;
        }
        byte[] link = ("/proc/self/fd/" + place).getBytes(StandardCharsets.US_ASCII);
        return mounts.fchmodat(FileConstants.AT_FDCWD, path.of(link), mode & SETTABLE_MODE, 0);
    }

    private int changeTimes(int place, Changes changes) {
        boolean atime = changes.has(FileProtocol.CHANGE_ATIME);
        boolean mtime = changes.has(FileProtocol.CHANGE_MTIME);
        if (!atime && !mtime) {
            return 0;
        }
        putTime(scratch + TIMES_OFFSET, atime, changes.atimeSeconds(), changes.atimeNanos());
        putTime(scratch + TIMES_OFFSET + Timespec.BYTES, mtime, changes.mtimeSeconds(), changes.mtimeNanos());
        return files.utimensat(place, path.of(NOTHING), scratch + TIMES_OFFSET, FileConstants.AT_EMPTY_PATH);
    }

    private static void putTime(long at, boolean given, long seconds, int nanos) {
        int wanted = nanos == FileProtocol.NOW ? FileConstants.UTIME_NOW : nanos;
        RawMemory.putLong(at + Timespec.SECONDS_OFFSET, seconds);
        RawMemory.putLong(at + Timespec.NANOS_OFFSET, given ? wanted : FileConstants.UTIME_OMIT);
    }

    // ---- files

    /**
     * Opens, or creates, a regular file; anything else is refused unopened.
     *
     * @param flags the access mode, O_CREAT, O_EXCL, O_TRUNC
     */
    int openRegular(byte[] file, int flags, int mode) {
        FileAttributes attributes = new FileAttributes();
        int existing = stat(file, attributes);
        boolean creates = (flags & FileConstants.O_CREAT) != 0;
        if (existing < 0 && !(existing == -Errno.ENOENT && creates)) {
            return existing;
        }
        if (existing >= 0 && (flags & FileConstants.O_EXCL) != 0) {
            return -Errno.EEXIST;
        }
        int refusal = existing < 0 ? 0 : refusal(attributes);
        if (refusal < 0) {
            return refusal;
        }
        int descriptor = openBeneath(file, flags | SAFELY, creates ? mode & PERMISSIONS : 0);
        if (descriptor < 0) {
            return descriptor;
        }
        // What the name meant may have changed since.
        int result = statDescriptor(descriptor, attributes);
        int later = result < 0 ? result : refusal(attributes);
        if (later < 0) {
            LibCFiles.closeFd(descriptor);
            return later;
        }
        return descriptor;
    }

    private static int refusal(FileAttributes attributes) {
        return switch (attributes.kind()) {
            case FileConstants.S_IFREG -> 0;
            case FileConstants.S_IFDIR -> -Errno.EISDIR;
            case FileConstants.S_IFLNK -> -Errno.ELOOP;
            default -> -Errno.EACCES;
        };
    }

    /** Opens a directory to list it. */
    int openDirectory(byte[] directory) {
        int flags = FileConstants.O_RDONLY | FileConstants.O_DIRECTORY | FileConstants.O_CLOEXEC;
        return openBeneath(directory, flags | FileConstants.O_NOFOLLOW, 0);
    }

    long read(int descriptor, long iovecs, int count, long offset) {
        return files.preadv(descriptor, iovecs, count, offset);
    }

    long write(int descriptor, long iovecs, int count, long offset) {
        return files.pwritev(descriptor, iovecs, count, offset);
    }

    int sync(int descriptor) {
        return files.fsync(descriptor);
    }

    long seek(int directory, long cookie) {
        return files.lseek(directory, cookie, FileConstants.SEEK_SET);
    }

    long list(int directory, long buffer, int bytes) {
        return files.getdents64(directory, buffer, bytes);
    }

    // ---- names

    int makeDirectory(byte[] directory, int mode) {
        return inParent(directory, (parent, name) -> files.mkdirat(parent, path.of(name), mode & SETTABLE_MODE));
    }

    int remove(byte[] file, int flags) {
        return inParent(file, (parent, name) -> files.unlinkat(parent, path.of(name), flags));
    }

    int linkSymbolically(byte[] file, byte[] target) {
        return inParent(file, (parent, name) -> files.symlinkat(otherPath.of(target), parent, path.of(name)));
    }

    /** Reads the target of a symbolic link into native memory; returns its bytes. */
    int readLink(byte[] file, long buffer, int bytes) {
        return inParent(file, (parent, name) -> (int) files.readlinkat(parent, path.of(name), buffer, bytes));
    }

    int rename(byte[] from, byte[] to, int flags) {
        return inParent(
                from,
                (fromParent, fromName) -> inParent(
                        to,
                        (toParent, toName) ->
                                files.renameat2(fromParent, path.of(fromName), toParent, otherPath.of(toName), flags)));
    }

    /** A system call on a name in an open directory. */
    @FunctionalInterface
    private interface NameCall {
        int on(int parent, byte[] name);
    }

    private int inParent(byte[] file, NameCall call) {
        if (file.length == 0) {
            return -Errno.EBUSY;
        }
        byte[] directory = Names.parent(file);
        if (directory.length == 0) {
            return call.on(root, file);
        }
        int parent = openBeneath(directory, PLACE | FileConstants.O_DIRECTORY, 0);
        if (parent < 0) {
            return parent;
        }
        int result = call.on(parent, Names.last(file));
        LibCFiles.closeFd(parent);
        return result;
    }

    private int openBeneath(byte[] file, int flags, int mode) {
        OpenHow.write(scratch + HOW_OFFSET, flags, mode, RESOLVE);
        return files.openat2(root, path.of(file.length == 0 ? HERE : file), scratch + HOW_OFFSET);
    }

    // ---- the file system

    /** Returns the address of a {@link Statfs} of the exported directory, or a negated errno. */
    long figures() {
        int result = mounts.fstatfs(root, scratch + STATFS_OFFSET);
        return result < 0 ? result : scratch + STATFS_OFFSET;
    }

    // ---- extended attributes

    /** Opens a file or directory for its attributes. */
    int openForAttributes(byte[] file) {
        FileAttributes attributes = new FileAttributes();
        int result = stat(file, attributes);
        if (result < 0) {
            return result;
        }
        return attributes.kind() == FileConstants.S_IFDIR
                ? openDirectory(file)
                : openRegular(file, FileConstants.O_RDONLY, 0);
    }

    long listAttributes(int descriptor, long buffer, int bytes) {
        return files.flistxattr(descriptor, buffer, bytes);
    }

    long attribute(int descriptor, byte[] name, long buffer, int bytes) {
        return files.fgetxattr(descriptor, path.of(name), buffer, bytes);
    }

    int setAttribute(int descriptor, byte[] name, long buffer, int bytes, int flags) {
        return files.fsetxattr(descriptor, path.of(name), buffer, bytes, flags);
    }

    int removeAttribute(int descriptor, byte[] name) {
        return mounts.fremovexattr(descriptor, path.of(name));
    }
}
