package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseAnswers;
import dev.sluice.ffi.fuse.FuseConstants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.LibCMounts;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.ProcessOwner;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * The writer of answers to the kernel, one write each. Bodies are put together at {@link #body()}. Confined to one
 * thread; an answer to a request that was interrupted meanwhile is dropped by the kernel.
 */
final class FuseReplies implements AutoCloseable {
    private static final int KIND_SHIFT = 12;
    private static final int BLOCK_SIZE = BlockCache.BLOCK_BYTES;

    private final int device;
    private final PeerOwner owner;
    private final long validSeconds;
    private final int validNanos;
    private final LibCMounts mounts = new LibCMounts();
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment memory;
    private final long iovecs;

    /** The users and groups that stand for each other on both machines. */
    record PeerOwner(ProcessOwner theirs, ProcessOwner ours) {
        int user(int user) {
            return user == theirs.user() ? ours.user() : user;
        }

        int group(int group) {
            return group == theirs.group() ? ours.group() : group;
        }
    }

    /** Creates a writer to an open device. */
    FuseReplies(int device, PeerOwner owner, Duration attributeTime) {
        this.device = device;
        this.owner = owner;
        this.validSeconds = attributeTime.toSeconds();
        this.validNanos = attributeTime.toNanosPart();
        int answer = FuseAnswers.HEADER_BYTES + FileProtocol.MAX_DATA_BYTES;
        this.memory = allocator.allocate(answer + (long) (WaitingRead.MAX_BLOCKS + 1) * IoVec.BYTES, Long.BYTES);
        this.iovecs = memory.address() + answer;
    }

    @Override
    public void close() {
        allocator.free(memory);
        mounts.close();
    }

    /** Returns our user, who stands for the peer's. */
    int ownUser() {
        return owner.ours().user();
    }

    /** Returns our group, which stands for the peer's. */
    int ownGroup() {
        return owner.ours().group();
    }

    /** Returns the room for a body, of {@link FileProtocol#MAX_DATA_BYTES}. */
    MemorySegment body() {
        return memory.asSlice(FuseAnswers.HEADER_BYTES, FileProtocol.MAX_DATA_BYTES);
    }

    private long bodyAddress() {
        return memory.address() + FuseAnswers.HEADER_BYTES;
    }

    /** Answers with an errno, positive, or 0. */
    void status(long unique, int errno) {
        header(unique, 0, errno);
        IoVec.write(iovecs, 0, memory.address(), FuseAnswers.HEADER_BYTES);
        write(1);
    }

    /** Answers with the first bytes of the body. */
    void send(long unique, int bytes) {
        header(unique, bytes, 0);
        IoVec.write(iovecs, 0, memory.address(), FuseAnswers.HEADER_BYTES + bytes);
        write(1);
    }

    /** Answers a read from its blocks. */
    void sendBlocks(WaitingRead read) {
        int sent = 0;
        int pieces = 1;
        for (int i = 0; i < read.count && sent < read.bytes; i++) {
            Block block = read.blocks[i];
            Slab slab = block.slab;
            int from = (int) (read.offset + sent - block.index * BlockCache.BLOCK_BYTES);
            int length = Math.min(block.length - from, read.bytes - sent);
            if (slab == null || length <= 0) {
                break;
            }
            IoVec.write(iovecs, pieces++, slab.address() + from, length);
            sent += length;
            if (block.length < BlockCache.BLOCK_BYTES) {
                break;
            }
        }
        header(read.unique, sent, 0);
        IoVec.write(iovecs, 0, memory.address(), FuseAnswers.HEADER_BYTES);
        write(pieces);
    }

    /**
     * Lets the kernel ask for a node's attributes before it uses them again. The kernel does not wait for anything that
     * this process owes it, since a request on the node is unanswered, and its pages are left alone.
     */
    void invalidateAttributes(Node node) {
        putLong(FuseAnswers.INVAL_INODE_INO_OFFSET, node.number);
        putLong(FuseAnswers.INVAL_INODE_OFF_OFFSET, -1);
        putLong(FuseAnswers.INVAL_INODE_LEN_OFFSET, 0);
        putHeader(0, FuseAnswers.INVAL_INODE_BYTES, FuseConstants.FUSE_NOTIFY_INVAL_INODE);
        IoVec.write(iovecs, 0, memory.address(), FuseAnswers.HEADER_BYTES + FuseAnswers.INVAL_INODE_BYTES);
        write(1);
    }

    /** A short write cannot be: the kernel takes an answer whole, or refuses it because nobody waits any more. */
    private void write(int pieces) {
        long result = mounts.writev(device, iovecs, pieces);
        if (result == -Errno.EINVAL) {
            throw new IllegalStateException("the kernel refused an answer as malformed");
        }
    }

    private void header(long unique, int bytes, int errno) {
        putHeader(unique, bytes, -errno);
    }

    /** Writes a header; its field for an error holds the code of a notification where {@code unique} is 0. */
    private void putHeader(long unique, int bytes, int error) {
        long at = memory.address();
        RawMemory.putInt(at + FuseAnswers.HEADER_LEN_OFFSET, FuseAnswers.HEADER_BYTES + bytes);
        RawMemory.putInt(at + FuseAnswers.HEADER_ERROR_OFFSET, error);
        RawMemory.putLong(at + FuseAnswers.HEADER_UNIQUE_OFFSET, unique);
    }

    // ---- bodies

    /** Puts an entry at an offset of the body; returns its size. */
    int putEntry(int offset, Node node, FileAttributes attributes) {
        long at = bodyAddress() + offset;
        RawMemory.putLong(at + FuseAnswers.ENTRY_NODEID_OFFSET, node.number);
        RawMemory.putLong(at + FuseAnswers.ENTRY_GENERATION_OFFSET, node.generation);
        RawMemory.putLong(at + FuseAnswers.ENTRY_ENTRY_VALID_OFFSET, validSeconds);
        RawMemory.putLong(at + FuseAnswers.ENTRY_ATTR_VALID_OFFSET, validSeconds);
        RawMemory.putInt(at + FuseAnswers.ENTRY_ENTRY_VALID_NSEC_OFFSET, validNanos);
        RawMemory.putInt(at + FuseAnswers.ENTRY_ATTR_VALID_NSEC_OFFSET, validNanos);
        putAttributes(at + FuseAnswers.ENTRY_ATTR_OFFSET, attributes);
        return FuseAnswers.ENTRY_BYTES;
    }

    /** Puts an entry that says that the name is absent; returns its size. */
    int putAbsent(int offset) {
        long at = bodyAddress() + offset;
        RawMemory.zero(at, FuseAnswers.ENTRY_BYTES);
        RawMemory.putLong(at + FuseAnswers.ENTRY_ENTRY_VALID_OFFSET, validSeconds);
        RawMemory.putInt(at + FuseAnswers.ENTRY_ENTRY_VALID_NSEC_OFFSET, validNanos);
        return FuseAnswers.ENTRY_BYTES;
    }

    /** Puts the answer to a question for attributes; returns its size. */
    int putAttributes(FileAttributes attributes) {
        long at = bodyAddress();
        RawMemory.zero(at, FuseAnswers.ATTR_BYTES);
        RawMemory.putLong(at + FuseAnswers.ATTR_ATTR_VALID_OFFSET, validSeconds);
        RawMemory.putInt(at + FuseAnswers.ATTR_ATTR_VALID_NSEC_OFFSET, validNanos);
        putAttributes(at + FuseAnswers.ATTR_ATTR_OFFSET, attributes);
        return FuseAnswers.ATTR_BYTES;
    }

    private void putAttributes(long at, FileAttributes from) {
        RawMemory.zero(at, FuseAnswers.ATTRIBUTES_BYTES);
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_INO_OFFSET, from.inode());
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_SIZE_OFFSET, Math.max(0, from.size()));
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_BLOCKS_OFFSET, from.blocks());
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_ATIME_OFFSET, from.atime().seconds());
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_MTIME_OFFSET, from.mtime().seconds());
        RawMemory.putLong(at + FuseAnswers.ATTRIBUTES_CTIME_OFFSET, from.ctime().seconds());
        RawMemory.putInt(
                at + FuseAnswers.ATTRIBUTES_ATIMENSEC_OFFSET, from.atime().nanos());
        RawMemory.putInt(
                at + FuseAnswers.ATTRIBUTES_MTIMENSEC_OFFSET, from.mtime().nanos());
        RawMemory.putInt(
                at + FuseAnswers.ATTRIBUTES_CTIMENSEC_OFFSET, from.ctime().nanos());
        RawMemory.putInt(at + FuseAnswers.ATTRIBUTES_MODE_OFFSET, from.mode());
        RawMemory.putInt(at + FuseAnswers.ATTRIBUTES_NLINK_OFFSET, from.links());
        RawMemory.putInt(at + FuseAnswers.ATTRIBUTES_UID_OFFSET, owner.user(from.user()));
        RawMemory.putInt(at + FuseAnswers.ATTRIBUTES_GID_OFFSET, owner.group(from.group()));
        RawMemory.putInt(at + FuseAnswers.ATTRIBUTES_BLKSIZE_OFFSET, BLOCK_SIZE);
    }

    /** Puts an open file or directory at an offset of the body; returns its size. */
    int putOpen(int offset, long number, int flags) {
        long at = bodyAddress() + offset;
        RawMemory.zero(at, FuseAnswers.OPEN_BYTES);
        RawMemory.putLong(at + FuseAnswers.OPEN_FH_OFFSET, number);
        RawMemory.putInt(at + FuseAnswers.OPEN_OPEN_FLAGS_OFFSET, flags);
        return FuseAnswers.OPEN_BYTES;
    }

    /** Answers with the bytes written. */
    void written(long unique, int bytes) {
        RawMemory.putLong(bodyAddress(), 0);
        RawMemory.putInt(bodyAddress() + FuseAnswers.WRITE_SIZE_OFFSET, bytes);
        send(unique, FuseAnswers.WRITE_BYTES);
    }

    /** Answers with the size of a value. */
    void valueSize(long unique, int bytes) {
        RawMemory.putLong(bodyAddress(), 0);
        RawMemory.putInt(bodyAddress() + FuseAnswers.GETXATTR_SIZE_OFFSET, bytes);
        send(unique, FuseAnswers.GETXATTR_BYTES);
    }

    /** Returns the bytes that a name takes in a listing, behind the entry if it has one. */
    static int nameBytes(int length) {
        return FuseAnswers.DIRENT_NAME_OFFSET + length + Long.BYTES - 1 & -Long.BYTES;
    }

    /** Puts a name of a listing at an offset of the body; returns its size. */
    int putName(int offset, long cookie, FileAttributes attributes, byte[] name) {
        long at = bodyAddress() + offset;
        int bytes = nameBytes(name.length);
        RawMemory.zero(at, bytes);
        RawMemory.putLong(at + FuseAnswers.DIRENT_INO_OFFSET, attributes.inode());
        RawMemory.putLong(at + FuseAnswers.DIRENT_OFF_OFFSET, cookie);
        RawMemory.putInt(at + FuseAnswers.DIRENT_NAMELEN_OFFSET, name.length);
        RawMemory.putInt(at + FuseAnswers.DIRENT_TYPE_OFFSET, attributes.kind() >> KIND_SHIFT);
        RawMemory.copy(name, 0, at + FuseAnswers.DIRENT_NAME_OFFSET, name.length);
        return bytes;
    }

    /** Puts zeros at an offset of the body. */
    void putZeros(int offset, int bytes) {
        RawMemory.zero(bodyAddress() + offset, bytes);
    }

    /** Puts 32 bits at an offset of the body. */
    void putInt(int offset, int value) {
        RawMemory.putInt(bodyAddress() + offset, value);
    }

    /** Puts 64 bits at an offset of the body. */
    void putLong(int offset, long value) {
        RawMemory.putLong(bodyAddress() + offset, value);
    }
}
