package dev.sluice.transfer.tree;

import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.DirectoryEntry;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.OpenHow;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.Statx;
import dev.sluice.ffi.libc.Timespec;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * System calls on files relative to open directories, with memory for their arguments. No call follows a symbolic link,
 * except {@link #openTrusted}, whose path comes from the user. Calls return at least 0, or a negated {@link Errno}.
 *
 * <p>Confined to one thread; the caller owns the descriptors.
 */
public final class FileAccess implements AutoCloseable {
    /** The size of {@link #buffer()}. */
    public static final int BUFFER_BYTES = 256 * 1024;

    private static final int PATH_BYTES = 4352;
    private static final int NAMES_BYTES = 32 * 1024;
    private static final int DIRECTORY_FLAGS =
            FileConstants.O_DIRECTORY | FileConstants.O_NOFOLLOW | FileConstants.O_CLOEXEC;
    private static final byte[] SELF = {};

    private final NativeAllocator allocator =
            new AccountedAllocator(new MallocAllocator(), Ledger.process().account("transfer files"));
    private final LibCFiles calls = new LibCFiles();
    private final MemorySegment memory;
    private final long path;
    private final long otherPath;
    private final long statx;
    private final long times;
    private final long how;
    private final long iovec;
    private final long buffer;
    private boolean stepwise;
    private boolean closed;

    /** Creates an instance with its own memory. */
    public FileAccess() {
        memory = allocator.allocate(
                2L * PATH_BYTES + Statx.BYTES + 2L * Timespec.BYTES + OpenHow.BYTES + IoVec.BYTES + BUFFER_BYTES,
                Long.BYTES);
        path = memory.address();
        otherPath = path + PATH_BYTES;
        statx = otherPath + PATH_BYTES;
        times = statx + Statx.BYTES;
        how = times + 2L * Timespec.BYTES;
        iovec = how + OpenHow.BYTES;
        buffer = iovec + IoVec.BYTES;
    }

    /** Opens paths step by step rather than by openat2(2), as on kernels without it. */
    void openStepwise() {
        stepwise = true;
    }

    /** Closes a descriptor; negative ones are ignored. */
    public static void close(int fd) {
        if (fd >= 0) {
            LibCFiles.closeFd(fd);
        }
    }

    /** Opens a directory or file that the user named; symbolic links are followed. */
    public int openTrusted(Path name, int flags) {
        byte[] bytes = name.toString().getBytes(StandardCharsets.UTF_8);
        return calls.openat(FileConstants.AT_FDCWD, cString(path, bytes), flags | FileConstants.O_CLOEXEC, 0);
    }

    /**
     * Opens a path below a directory; fails with ELOOP at a symbolic link in any component.
     *
     * @param below a checked path; empty for the directory itself
     */
    public int openBeneath(int rootFd, byte[] below, int flags) {
        int all = flags | FileConstants.O_NOFOLLOW | FileConstants.O_CLOEXEC;
        if (below.length == 0) {
            return calls.openat(rootFd, cString(path, new byte[] {'.'}), all, 0);
        }
        if (!stepwise) {
            int resolve = FileConstants.RESOLVE_BENEATH
                    | FileConstants.RESOLVE_NO_SYMLINKS
                    | FileConstants.RESOLVE_NO_MAGICLINKS;
            OpenHow.write(how, all, 0, resolve);
            int fd = calls.openat2(rootFd, cString(path, below), how);
            if (fd != -Errno.ENOSYS) {
                return fd;
            }
            stepwise = true;
        }
        return openSteps(rootFd, below, all);
    }

    private int openSteps(int rootFd, byte[] below, int flags) {
        int directory = rootFd;
        int from = 0;
        for (int i = 0; i < below.length; i++) {
            if (below[i] != '/') {
                continue;
            }
            int next = openAt(directory, Arrays.copyOfRange(below, from, i), DIRECTORY_FLAGS | FileConstants.O_PATH, 0);
            if (directory != rootFd) {
                close(directory);
            }
            if (next < 0) {
                return next;
            }
            directory = next;
            from = i + 1;
        }
        int fd = openAt(directory, Arrays.copyOfRange(below, from, below.length), flags, 0);
        if (directory != rootFd) {
            close(directory);
        }
        return fd;
    }

    /** Opens or creates a name in a directory. */
    public int openAt(int directoryFd, byte[] name, int flags, int mode) {
        int all = flags | FileConstants.O_NOFOLLOW | FileConstants.O_CLOEXEC;
        return calls.openat(directoryFd, cString(path, name), all, mode);
    }

    /** Opens a directory in a directory, for reading its names. */
    public int openDirectory(int directoryFd, byte[] name) {
        return openAt(directoryFd, name, DIRECTORY_FLAGS, 0);
    }

    /** Opens a directory below a directory. */
    public int openDirectoryBeneath(int rootFd, byte[] below) {
        return openBeneath(rootFd, below, DIRECTORY_FLAGS);
    }

    /** Creates a directory. */
    public int makeDirectory(int directoryFd, byte[] name, int mode) {
        return calls.mkdirat(directoryFd, cString(path, name), mode);
    }

    /** Removes a file or link. */
    public int remove(int directoryFd, byte[] name) {
        return calls.unlinkat(directoryFd, cString(path, name), 0);
    }

    /**
     * Renames within a directory.
     *
     * @param flags 0 or RENAME_NOREPLACE
     */
    public int rename(int directoryFd, byte[] from, byte[] to, int flags) {
        return calls.renameat2(directoryFd, cString(path, from), directoryFd, cString(otherPath, to), flags);
    }

    /** Creates a symbolic link. */
    public int symlink(byte[] target, int directoryFd, byte[] name) {
        return calls.symlinkat(cString(otherPath, target), directoryFd, cString(path, name));
    }

    /** Returns the contents of a symbolic link, or null. */
    public byte @Nullable [] readLink(int directoryFd, byte[] name) {
        long length = calls.readlinkat(directoryFd, cString(path, name), buffer, PATH_BYTES);
        return length < 0 || length > Names.PATH_MAX ? null : bytes(buffer, (int) length);
    }

    // ---- attributes

    /** Reads the attributes of a name, which the methods below return. */
    public int stat(int directoryFd, byte[] name) {
        int flags = FileConstants.AT_SYMLINK_NOFOLLOW | (name.length == 0 ? FileConstants.AT_EMPTY_PATH : 0);
        return calls.statx(directoryFd, cString(path, name), flags, FileConstants.STATX_BASIC_STATS, statx);
    }

    /** Reads the attributes of an open file. */
    public int stat(int fd) {
        return stat(fd, SELF);
    }

    /** Returns the kind of the file last read: S_IFREG and its like. */
    public int kind() {
        return Statx.mode(statx) & FileConstants.S_IFMT;
    }

    /** Returns the permission bits of the file last read. */
    public int permissions() {
        return Statx.mode(statx) & 07777;
    }

    /** Returns the size of the file last read. */
    public long size() {
        return Statx.size(statx);
    }

    /** Returns the bytes allocated to the file last read. */
    public long allocatedBytes() {
        return Statx.allocatedBytes(statx);
    }

    /** Returns the number of links to the file last read. */
    public int links() {
        return Statx.links(statx);
    }

    /** Returns the number of the inode last read. */
    public long inode() {
        return RawMemory.getLong(statx + Statx.INODE_OFFSET);
    }

    /** Returns the modification time of the file last read, in whole seconds. */
    public long mtimeSeconds() {
        return Statx.mtimeSeconds(statx);
    }

    /** Returns the nanoseconds beyond them. */
    public int mtimeNanos() {
        return Statx.mtimeNanos(statx);
    }

    /** Returns whether the file last read has a size and a modification time. */
    public boolean isVersion(long size, long seconds, int nanos) {
        return size() == size && mtimeSeconds() == seconds && mtimeNanos() == nanos;
    }

    /** Sets the permissions of an open file. */
    public int setPermissions(int fd, int mode) {
        return calls.fchmod(fd, mode);
    }

    /** Sets the modification time of an open file. */
    public int setTime(int fd, long seconds, int nanos) {
        writeTimes(seconds, nanos);
        return calls.futimens(fd, times);
    }

    /** Sets the modification time of a symbolic link or another name. */
    public int setTimeOf(int directoryFd, byte[] name, long seconds, int nanos) {
        writeTimes(seconds, nanos);
        return calls.utimensat(directoryFd, cString(path, name), times, FileConstants.AT_SYMLINK_NOFOLLOW);
    }

    private void writeTimes(long seconds, int nanos) {
        RawMemory.putLong(times + Timespec.SECONDS_OFFSET, 0);
        RawMemory.putLong(times + Timespec.NANOS_OFFSET, FileConstants.UTIME_OMIT);
        RawMemory.putLong(times + Timespec.BYTES + Timespec.SECONDS_OFFSET, seconds);
        RawMemory.putLong(times + Timespec.BYTES + Timespec.NANOS_OFFSET, nanos);
    }

    /**
     * Returns the extended attributes of an open file in the namespace {@code user}, as far as they fit into {@link
     * ExtendedAttribute#TOTAL_BYTES_MAX}.
     */
    public List<ExtendedAttribute> attributes(int fd) {
        long length = calls.flistxattr(fd, buffer, BUFFER_BYTES);
        List<ExtendedAttribute> list = new ArrayList<>();
        if (length <= 0) {
            return list;
        }
        int total = 0;
        for (String name : new String(bytes(buffer, (int) length), StandardCharsets.ISO_8859_1).split("\0", -1)) {
            byte[] nameBytes = name.getBytes(StandardCharsets.ISO_8859_1);
            long size = calls.fgetxattr(fd, cString(path, nameBytes), buffer, ExtendedAttribute.TOTAL_BYTES_MAX);
            total += nameBytes.length + (int) Math.max(size, 0);
            boolean sendable = name.startsWith(ExtendedAttribute.NAMESPACE) && size >= 0;
            if (sendable && total <= ExtendedAttribute.TOTAL_BYTES_MAX && list.size() < 255) {
                list.add(new ExtendedAttribute(nameBytes, bytes(buffer, (int) size)));
            }
        }
        return list;
    }

    /** Sets an extended attribute of an open file. */
    public int setAttribute(int fd, ExtendedAttribute attribute) {
        byte[] value = attribute.value();
        RawMemory.copy(value, 0, buffer, value.length);
        return calls.fsetxattr(fd, cString(path, attribute.name()), buffer, value.length, 0);
    }

    // ---- contents

    /** Returns the address of memory for the methods below, {@link #BUFFER_BYTES} long. */
    public long buffer() {
        return buffer;
    }

    /** Reads into the buffer up to a length or the end of the file; returns the bytes read. */
    public long read(int fd, long offset, int length) {
        int done = 0;
        while (done < length) {
            IoVec.write(iovec, 0, buffer + done, length - done);
            long read = calls.preadv(fd, iovec, 1, offset + done);
            if (read < 0) {
                return read;
            }
            if (read == 0) {
                break;
            }
            done += (int) read;
        }
        return done;
    }

    /** Writes memory; returns 0, or a negated error number when not all of it could be written. */
    public int write(int fd, long address, int length, long offset) {
        int done = 0;
        while (done < length) {
            IoVec.write(iovec, 0, address + done, length - done);
            long written = calls.pwritev(fd, iovec, 1, offset + done);
            if (written <= 0) {
                return written == 0 ? -Errno.EIO : (int) written;
            }
            done += (int) written;
        }
        return 0;
    }

    /** Calls preadv(2). */
    public long readVector(int fd, long iovecs, int count, long offset) {
        return calls.preadv(fd, iovecs, count, offset);
    }

    /** Calls pwritev(2). */
    public long writeVector(int fd, long iovecs, int count, long offset) {
        return calls.pwritev(fd, iovecs, count, offset);
    }

    /** Sets the size of an open file. */
    public int truncate(int fd, long size) {
        return calls.ftruncate(fd, size);
    }

    /** Allocates the blocks of a range of an open file. */
    public int allocate(int fd, long offset, long length) {
        return calls.fallocate(fd, 0, offset, length);
    }

    /** Waits until an open file is on the device. */
    public int sync(int fd) {
        return calls.fsync(fd);
    }

    /** Locks an open file for this process; fails with EAGAIN where another has it. */
    public int lock(int fd) {
        return calls.flock(fd, FileConstants.LOCK_EX | FileConstants.LOCK_NB);
    }

    /** Returns the offset of the next data at or after an offset; -ENXIO when only a hole follows. */
    public long seekData(int fd, long offset) {
        return calls.lseek(fd, offset, FileConstants.SEEK_DATA);
    }

    /** Returns the offset of the next hole at or after an offset; the end of the file counts as one. */
    public long seekHole(int fd, long offset) {
        return calls.lseek(fd, offset, FileConstants.SEEK_HOLE);
    }

    /**
     * Appends the next names of an open directory to a list, some hundreds at most.
     *
     * @return the number of bytes read, 0 at the end of the directory
     */
    public long readNames(int directoryFd, List<byte[]> names) {
        long length = calls.getdents64(directoryFd, buffer, NAMES_BYTES);
        for (long at = 0; at < length; at += DirectoryEntry.length(buffer + at)) {
            byte[] name = DirectoryEntry.name(buffer + at);
            if (Names.isName(name)) {
                names.add(name);
            }
        }
        return length;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            calls.close();
            allocator.free(memory);
        }
    }

    private static byte[] bytes(long address, int length) {
        byte[] copy = new byte[length];
        RawMemory.copy(address, copy, 0, length);
        return copy;
    }

    private static long cString(long to, byte[] bytes) {
        if (bytes.length > Names.PATH_MAX) {
            throw new IllegalArgumentException("path too long: bytes=" + bytes.length + ", max=" + Names.PATH_MAX);
        }
        RawMemory.copy(bytes, 0, to, bytes.length);
        RawMemory.putByte(to + bytes.length, (byte) 0);
        return to;
    }
}
