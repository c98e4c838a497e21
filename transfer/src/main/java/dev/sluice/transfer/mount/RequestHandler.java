package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseAnswers;
import dev.sluice.ffi.fuse.FuseConstants;
import dev.sluice.ffi.fuse.FuseRequests;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameWriter;
import dev.sluice.transfer.mount.Call.Kind;
import dev.sluice.transfer.mount.MountState.Peer;
import dev.sluice.transfer.tree.Names;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's requests, turned into requests to the peer, or answered from what is here. Called by the reading thread
 * under the lock; what it writes fits into the batch, so that nothing blocks.
 */
final class RequestHandler {
    private static final int MIN_MINOR_VERSION = 31;
    private static final int MAX_BACKGROUND = 64;
    private static final int CONGESTION = 48;
    private static final int PAGE_BYTES = 4096;
    private static final int WANTED_FEATURES = FuseConstants.FUSE_ASYNC_READ
            | FuseConstants.FUSE_ATOMIC_O_TRUNC
            | FuseConstants.FUSE_BIG_WRITES
            | FuseConstants.FUSE_AUTO_INVAL_DATA
            | FuseConstants.FUSE_DO_READDIRPLUS
            | FuseConstants.FUSE_READDIRPLUS_AUTO
            | FuseConstants.FUSE_ASYNC_DIO
            | FuseConstants.FUSE_PARALLEL_DIROPS
            | FuseConstants.FUSE_MAX_PAGES;
    private static final int OPEN_MODES = FileConstants.O_WRONLY | FileConstants.O_RDWR;
    private static final byte[] NO_PATH = new byte[0];

    private final MountState state;
    private final MountSettings settings;
    private final KernelRequest request;
    private final FrameWriter out;
    private final FuseReplies replies;
    private final int features;

    /** Creates a handler; {@code features} are the flags of the peer's answer to HELLO. */
    RequestHandler(
            MountState state,
            MountSettings settings,
            KernelRequest request,
            FrameWriter out,
            FuseReplies replies,
            int features) {
        this.state = state;
        this.settings = settings;
        this.request = request;
        this.out = out;
        this.replies = replies;
        this.features = features;
    }

    /** Handles the request in the buffer. */
    void handle() {
        switch (request.operation()) {
            case FuseConstants.FUSE_INIT -> init();
            case FuseConstants.FUSE_FORGET ->
                state.nodes.forget(request.node(), request.getLong(FuseRequests.FORGET_NLOOKUP_OFFSET));
            case FuseConstants.FUSE_BATCH_FORGET -> forgetSeveral();
            case FuseConstants.FUSE_RELEASE -> release();
            case FuseConstants.FUSE_RELEASEDIR -> releaseDirectory();
            case FuseConstants.FUSE_INTERRUPT -> {
                // Every request is answered within the deadline.
            }
            case FuseConstants.FUSE_DESTROY -> fail(0);
            default -> access();
        }
    }

    private void access() {
        Node node = state.nodes.node(request.node());
        if (state.peer == Peer.GONE) {
            fail(Errno.EIO);
        } else if (node == null) {
            fail(Errno.ESTALE);
        } else {
            access(node);
        }
    }

    private void access(Node node) {
        switch (request.operation()) {
            case FuseConstants.FUSE_LOOKUP -> lookup(node);
            case FuseConstants.FUSE_GETATTR -> attributes(node);
            case FuseConstants.FUSE_SETATTR -> change(node);
            case FuseConstants.FUSE_OPEN -> open(node);
            case FuseConstants.FUSE_CREATE -> create(node);
            case FuseConstants.FUSE_READ -> read();
            case FuseConstants.FUSE_WRITE -> write();
            case FuseConstants.FUSE_FLUSH -> flush();
            case FuseConstants.FUSE_FSYNC -> sync();
            case FuseConstants.FUSE_OPENDIR -> openDirectory(node);
            case FuseConstants.FUSE_READDIR -> list(node, Call.Listing.NAMES);
            case FuseConstants.FUSE_READDIRPLUS -> list(node, Call.Listing.ENTRIES);
            case FuseConstants.FUSE_FSYNCDIR -> syncDirectory();
            case FuseConstants.FUSE_STATFS -> figures();
            default -> accessName(node);
        }
    }

    private void accessName(Node node) {
        switch (request.operation()) {
            case FuseConstants.FUSE_MKDIR -> makeDirectory(node);
            case FuseConstants.FUSE_UNLINK -> remove(node, FileOperation.REMOVE_FILE);
            case FuseConstants.FUSE_RMDIR -> remove(node, FileOperation.REMOVE_DIRECTORY);
            case FuseConstants.FUSE_RENAME ->
                rename(node, FuseRequests.RENAME_BYTES, request.getLong(FuseRequests.RENAME_NEWDIR_OFFSET), 0);
            case FuseConstants.FUSE_RENAME2 ->
                rename(
                        node,
                        FuseRequests.RENAME2_BYTES,
                        request.getLong(FuseRequests.RENAME2_NEWDIR_OFFSET),
                        request.getInt(FuseRequests.RENAME2_FLAGS_OFFSET));
            case FuseConstants.FUSE_SYMLINK -> linkSymbolically(node);
            case FuseConstants.FUSE_READLINK -> readLink(node);
            case FuseConstants.FUSE_MKNOD -> fail(Errno.EPERM);
            default -> accessExtended(node);
        }
    }

    private void accessExtended(Node node) {
        if ((features & FileProtocol.EXTENDED_ATTRIBUTES) == 0) {
            fail(Errno.ENOSYS);
            return;
        }
        switch (request.operation()) {
            case FuseConstants.FUSE_GETXATTR -> attribute(node);
            case FuseConstants.FUSE_LISTXATTR -> listAttributes(node);
            case FuseConstants.FUSE_SETXATTR -> setAttribute(node);
            case FuseConstants.FUSE_REMOVEXATTR -> removeAttribute(node);
            default -> fail(Errno.ENOSYS);
        }
    }

    private void fail(int errno) {
        replies.status(request.unique(), errno);
    }

    private Call call(Kind kind) {
        return state.calls.add(kind, request.unique());
    }

    // ---- start

    private void init() {
        int minor = request.getInt(FuseRequests.INIT_MINOR_OFFSET);
        if (minor < MIN_MINOR_VERSION) {
            fail(Errno.EPROTO);
            return;
        }
        int offered = request.getInt(FuseRequests.INIT_FLAGS_OFFSET);
        replies.putZeros(0, FuseAnswers.INIT_BYTES);
        replies.putInt(FuseAnswers.INIT_MAJOR_OFFSET, FuseConstants.FUSE_KERNEL_VERSION);
        replies.putInt(FuseAnswers.INIT_MINOR_OFFSET, MIN_MINOR_VERSION);
        // The kernel takes the smaller one of this and of KernelReadAhead.
        replies.putInt(FuseAnswers.INIT_MAX_READAHEAD_OFFSET, FileProtocol.MAX_DATA_BYTES);
        replies.putInt(FuseAnswers.INIT_FLAGS_OFFSET, offered & WANTED_FEATURES);
        replies.putInt(FuseAnswers.INIT_MAX_BACKGROUND_OFFSET, MAX_BACKGROUND | CONGESTION << Short.SIZE);
        replies.putInt(FuseAnswers.INIT_MAX_WRITE_OFFSET, FileProtocol.MAX_DATA_BYTES);
        replies.putInt(FuseAnswers.INIT_TIME_GRAN_OFFSET, 1);
        replies.putInt(FuseAnswers.INIT_MAX_PAGES_OFFSET, FileProtocol.MAX_DATA_BYTES / PAGE_BYTES);
        replies.send(request.unique(), FuseAnswers.INIT_BYTES);
    }

    private void forgetSeveral() {
        int count = request.getInt(FuseRequests.BATCH_COUNT_OFFSET);
        for (int i = 0; i < count; i++) {
            int at = FuseRequests.BATCH_BYTES + i * FuseRequests.BATCH_ONE_BYTES;
            state.nodes.forget(
                    request.getLong(at + FuseRequests.BATCH_ONE_NODEID_OFFSET),
                    request.getLong(at + FuseRequests.BATCH_ONE_NLOOKUP_OFFSET));
        }
    }

    // ---- attributes

    private void lookup(Node directory) {
        byte[] name = request.name(0);
        byte[] path = path(directory, name);
        if (path != null) {
            entry(Kind.ENTRY, FileOperation.STAT, directory, name);
            out.putInt(FileProtocol.NO_HANDLE);
            out.putBytes(path);
            out.end();
        }
    }

    /** Begins a request whose answer is a node for a name. */
    private void entry(Kind kind, FileOperation operation, Node directory, byte[] name) {
        Call call = call(kind);
        call.node = directory;
        call.name = name;
        out.begin(operation);
    }

    private byte @Nullable [] path(Node directory, byte[] name) {
        byte[] path = state.nodes.path(directory, name);
        if (path == null) {
            fail(state.nodes.isReachable(directory) ? Errno.ENAMETOOLONG : Errno.ENOENT);
        }
        return path;
    }

    private void attributes(Node node) {
        boolean given =
                (request.getInt(FuseRequests.GETATTR_GETATTR_FLAGS_OFFSET) & FuseConstants.FUSE_GETATTR_FH) != 0;
        OpenFile file = given ? state.files.get(request.getLong(FuseRequests.GETATTR_FH_OFFSET)) : null;
        beginOnNode(node, file, FileOperation.STAT, () -> {});
    }

    private void change(Node node) {
        int valid = request.getInt(FuseRequests.SETATTR_VALID_OFFSET);
        if ((valid & (FuseConstants.FATTR_UID | FuseConstants.FATTR_GID)) != 0) {
            changeOwner(node, valid);
            return;
        }
        boolean given = (valid & FuseConstants.FATTR_FH) != 0;
        OpenFile file = given ? state.files.get(request.getLong(FuseRequests.SETATTR_FH_OFFSET)) : null;
        if ((valid & FuseConstants.FATTR_SIZE) != 0) {
            state.cache.drop(node);
            node.size = request.getLong(FuseRequests.SETATTR_SIZE_OFFSET);
        }
        beginOnNode(node, file, FileOperation.CHANGE, () -> putChanges(valid));
    }

    /** Owners are the peer's matter: a change to the owner that we show changes nothing, any other one is refused. */
    private void changeOwner(Node node, int valid) {
        boolean user = (valid & FuseConstants.FATTR_UID) == 0
                || request.getInt(FuseRequests.SETATTR_UID_OFFSET) == replies.ownUser();
        boolean group = (valid & FuseConstants.FATTR_GID) == 0
                || request.getInt(FuseRequests.SETATTR_GID_OFFSET) == replies.ownGroup();
        if (user && group) {
            beginOnNode(node, null, FileOperation.STAT, () -> {});
        } else {
            fail(Errno.EPERM);
        }
    }

    private void putChanges(int valid) {
        out.putInt(bit(valid, FuseConstants.FATTR_MODE, FileProtocol.CHANGE_MODE)
                | bit(valid, FuseConstants.FATTR_SIZE, FileProtocol.CHANGE_SIZE)
                | bit(valid, FuseConstants.FATTR_ATIME, FileProtocol.CHANGE_ATIME)
                | bit(valid, FuseConstants.FATTR_MTIME, FileProtocol.CHANGE_MTIME));
        out.putInt(request.getInt(FuseRequests.SETATTR_MODE_OFFSET) & 07777);
        out.putLong(request.getLong(FuseRequests.SETATTR_SIZE_OFFSET));
        out.putLong(request.getLong(FuseRequests.SETATTR_ATIME_OFFSET));
        boolean atimeNow = (valid & FuseConstants.FATTR_ATIME_NOW) != 0;
        out.putInt(atimeNow ? FileProtocol.NOW : request.getInt(FuseRequests.SETATTR_ATIMENSEC_OFFSET));
        out.putLong(request.getLong(FuseRequests.SETATTR_MTIME_OFFSET));
        boolean mtimeNow = (valid & FuseConstants.FATTR_MTIME_NOW) != 0;
        out.putInt(mtimeNow ? FileProtocol.NOW : request.getInt(FuseRequests.SETATTR_MTIMENSEC_OFFSET));
    }

    private static int bit(int valid, int kernel, int wire) {
        return (valid & kernel) != 0 ? wire : 0;
    }

    /** Sends a request for the attributes of a node, by its handle if a file is given, else by its path. */
    private void beginOnNode(Node node, @Nullable OpenFile file, FileOperation operation, Runnable fields) {
        OpenFile reached = file == null && node.parent == null ? node.opened() : file;
        byte[] path = reached == null ? path(node, NO_PATH) : NO_PATH;
        if (path != null) {
            call(Kind.ATTRIBUTES).node = node;
            out.begin(operation);
            fields.run();
            out.putInt(reached == null ? FileProtocol.NO_HANDLE : reached.handle);
            out.putBytes(path);
            out.end();
        }
    }

    // ---- files

    private void open(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            Call call = call(Kind.OPENED);
            call.node = node;
            call.file = new OpenFile(node);
            out.begin(FileOperation.OPEN);
            out.putInt(openFlags(request.getInt(FuseRequests.OPEN_FLAGS_OFFSET)));
            out.putInt(0);
            out.putBytes(path);
            out.end();
        }
    }

    private static int openFlags(int flags) {
        int result = switch (flags & OPEN_MODES) {
            case FileConstants.O_RDONLY -> FileProtocol.OPEN_READ;
            case FileConstants.O_WRONLY -> FileProtocol.OPEN_WRITE;
            default -> FileProtocol.OPEN_READ | FileProtocol.OPEN_WRITE;
        };
        return (flags & FileConstants.O_TRUNC) != 0 ? result | FileProtocol.OPEN_TRUNCATE : result;
    }

    private void create(Node directory) {
        byte[] name = request.name(FuseRequests.CREATE_BYTES);
        byte[] path = path(directory, name);
        if (path != null) {
            int flags = request.getInt(FuseRequests.CREATE_FLAGS_OFFSET);
            boolean exclusive = (flags & FileConstants.O_EXCL) != 0;
            Call call = call(Kind.CREATED);
            call.node = directory;
            call.name = name;
            out.begin(FileOperation.OPEN);
            out.putInt(openFlags(flags) | FileProtocol.OPEN_CREATE | (exclusive ? FileProtocol.OPEN_EXCLUSIVE : 0));
            out.putInt(request.getInt(FuseRequests.CREATE_MODE_OFFSET));
            out.putBytes(path);
            out.end();
        }
    }

    private void release() {
        OpenFile file = state.files.remove(request.getLong(FuseRequests.RELEASE_FH_OFFSET));
        if (file != null) {
            file.node.closed(file);
            close(file.handle);
        }
        fail(0);
    }

    private void close(int handle) {
        if (state.peer == Peer.PRESENT) {
            state.calls.add(Kind.IGNORED, 0);
            out.begin(FileOperation.CLOSE);
            out.putInt(handle);
            out.end();
        }
    }

    private void read() {
        OpenFile file = state.files.get(request.getLong(FuseRequests.READ_FH_OFFSET));
        if (file == null) {
            fail(Errno.EBADF);
            return;
        }
        long offset = request.getLong(FuseRequests.READ_OFFSET_OFFSET);
        int bytes = Math.min(request.getInt(FuseRequests.READ_SIZE_OFFSET), FileProtocol.MAX_DATA_BYTES);
        boolean sequential = file.isSequential(offset, bytes, settings.readAheadBytes());
        WaitingRead read = state.read(request.unique(), offset, bytes);
        if (!addBlocks(read, file, sequential)) {
            state.giveBack(read);
            readData(file, offset, bytes);
            return;
        }
        if (read.isComplete()) {
            state.complete(read, replies);
        } else {
            state.waiting.add(read);
        }
        if (sequential) {
            readAhead(file, offset + bytes);
        }
    }

    /** Adds the blocks of a read, requesting absent ones if it is sequential; false when one is not to be had. */
    private boolean addBlocks(WaitingRead read, OpenFile file, boolean request) {
        long last = (read.offset + read.bytes - 1) / BlockCache.BLOCK_BYTES;
        for (long index = read.offset / BlockCache.BLOCK_BYTES; index <= last; index++) {
            Block block = state.cache.find(file.node.number, index);
            if (block == null && request) {
                block = requestBlock(file, index);
            }
            if (block == null) {
                return false;
            }
            state.cache.pin(block);
            read.blocks[read.count++] = block;
        }
        return true;
    }

    private @Nullable Block requestBlock(OpenFile file, long index) {
        Block block = state.cache.take(file.node.number, index);
        if (block != null) {
            Call call = state.calls.add(Kind.BLOCK, 0);
            call.block = block;
            putRead(file, index * BlockCache.BLOCK_BYTES, BlockCache.BLOCK_BYTES);
        }
        return block;
    }

    private void putRead(OpenFile file, long offset, int bytes) {
        out.begin(FileOperation.READ);
        out.putInt(file.handle);
        out.putLong(offset);
        out.putInt(bytes);
        out.end();
    }

    private void readAhead(OpenFile file, long end) {
        long until = Math.min(file.aheadTo(), file.node.size);
        long index = Math.ceilDiv(file.aheadFrom(end), BlockCache.BLOCK_BYTES);
        while (index * BlockCache.BLOCK_BYTES < until && state.calls.room() > Mount.MAX_CALLS_PER_REQUEST) {
            if (state.cache.find(file.node.number, index) == null && requestBlock(file, index) == null) {
                break;
            }
            index++;
            file.requestedUntil(index * BlockCache.BLOCK_BYTES);
        }
    }

    private void readData(OpenFile file, long offset, int bytes) {
        call(Kind.DATA).bytes = bytes;
        putRead(file, offset, bytes);
    }

    private void write() {
        OpenFile file = state.files.get(request.getLong(FuseRequests.WRITE_FH_OFFSET));
        int earlier = file == null ? Errno.EBADF : file.takeUnreported();
        if (file == null || earlier != 0) {
            fail(earlier);
            return;
        }
        long offset = request.getLong(FuseRequests.WRITE_OFFSET_OFFSET);
        int bytes = request.getInt(FuseRequests.WRITE_SIZE_OFFSET);
        // A block at the former end is short: behind it there is a hole now.
        state.cache.drop(file.node, Math.min(offset, file.node.size), offset + bytes);
        file.node.size = Math.max(file.node.size, offset + bytes);
        boolean behind = state.unconfirmedBytes + bytes <= settings.writeBehindBytes();
        Call call = behind ? state.calls.add(Kind.WRITTEN_BEHIND, 0) : call(Kind.WRITTEN);
        call.file = file;
        call.bytes = bytes;
        state.unconfirmedBytes += bytes;
        file.unconfirmed++;
        out.begin(FileOperation.WRITE);
        out.putInt(file.handle);
        out.putLong(offset);
        out.putData(RawMemory.view(request.dataAddress(FuseRequests.WRITE_BYTES), bytes), 0, bytes);
        out.end();
        if (behind) {
            replies.written(request.unique(), bytes);
        }
    }

    /** Follows each close(2): answers are in order, so that of a ping follows those of the writes. */
    private void flush() {
        OpenFile file = state.files.get(request.getLong(FuseRequests.FLUSH_FH_OFFSET));
        if (file == null || file.unconfirmed == 0) {
            fail(file == null ? Errno.EBADF : file.takeError());
            return;
        }
        call(Kind.FLUSHED).file = file;
        out.begin(FileOperation.PING);
        out.end();
    }

    private void sync() {
        OpenFile file = state.files.get(request.getLong(FuseRequests.FSYNC_FH_OFFSET));
        if (file == null) {
            fail(Errno.EBADF);
            return;
        }
        call(Kind.FLUSHED).file = file;
        putSync(file.handle);
    }

    private void putSync(int handle) {
        int flags = request.getInt(FuseRequests.FSYNC_FSYNC_FLAGS_OFFSET);
        out.begin(FileOperation.SYNC);
        out.putInt(handle);
        out.put(flags & FuseConstants.FUSE_FSYNC_FDATASYNC);
        out.end();
    }

    // ---- directories

    private void openDirectory(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            call(Kind.DIRECTORY_OPENED).directory = new OpenDirectory();
            out.begin(FileOperation.OPEN_DIRECTORY);
            out.putBytes(path);
            out.end();
        }
    }

    private void releaseDirectory() {
        OpenDirectory directory = state.directories.remove(request.getLong(FuseRequests.RELEASE_FH_OFFSET));
        if (directory != null) {
            close(directory.handle);
        }
        fail(0);
    }

    private void syncDirectory() {
        OpenDirectory directory = state.directories.get(request.getLong(FuseRequests.FSYNC_FH_OFFSET));
        if (directory == null) {
            fail(Errno.EBADF);
            return;
        }
        call(Kind.STATUS);
        putSync(directory.handle);
    }

    private void list(Node node, Call.Listing listing) {
        OpenDirectory directory = state.directories.get(request.getLong(FuseRequests.READ_FH_OFFSET));
        if (directory == null) {
            fail(Errno.EBADF);
            return;
        }
        long cookie = request.getLong(FuseRequests.READ_OFFSET_OFFSET);
        int bytes = Math.min(request.getInt(FuseRequests.READ_SIZE_OFFSET), FileProtocol.MAX_DATA_BYTES);
        if (directory.has(cookie)) {
            Listings.reply(state, replies, directory, node, request.unique(), bytes, listing);
            return;
        }
        Call call = call(Kind.PAGE);
        call.node = node;
        call.directory = directory;
        call.cookie = cookie;
        call.bytes = bytes;
        call.listing = listing;
        out.begin(FileOperation.LIST);
        out.putInt(directory.handle);
        out.putLong(cookie);
        out.end();
    }

    private void makeDirectory(Node directory) {
        byte[] name = request.name(FuseRequests.MKDIR_BYTES);
        byte[] path = path(directory, name);
        if (path != null) {
            entry(Kind.MADE, FileOperation.MAKE_DIRECTORY, directory, name);
            out.putInt(request.getInt(FuseRequests.MKDIR_MODE_OFFSET));
            out.putBytes(path);
            out.end();
        }
    }

    private void remove(Node directory, FileOperation operation) {
        byte[] name = request.name(0);
        byte[] path = path(directory, name);
        if (path != null) {
            Call call = call(Kind.REMOVED);
            call.node = directory;
            call.name = name;
            out.begin(operation);
            out.putBytes(path);
            out.end();
        }
    }

    /** Renames in our tree at once, since requests that follow are carried out after the rename; undone on an error. */
    private void rename(Node directory, int structBytes, long newDirectory, int flags) {
        Node target = state.nodes.node(newDirectory);
        byte[] name = request.name(structBytes);
        byte[] newName = request.name(structBytes + name.length + 1);
        if (target == null) {
            fail(Errno.ESTALE);
            return;
        }
        byte[] from = path(directory, name);
        byte[] to = from == null ? null : path(target, newName);
        if (from == null || to == null) {
            return;
        }
        call(Kind.RENAMED).renaming = renameNode(directory, name, target, newName);
        out.begin(FileOperation.RENAME);
        out.putInt(flags);
        out.putBytes(from);
        out.putBytes(to);
        out.end();
    }

    private Call.@Nullable Renaming renameNode(Node directory, byte[] name, Node target, byte[] newName) {
        Node node = directory.child(name);
        if (node == null) {
            return null;
        }
        Node replaced = target.child(newName);
        if (replaced != null) {
            state.nodes.detach(replaced);
        }
        state.nodes.move(node, target, newName);
        return new Call.Renaming(node, directory, name, replaced);
    }

    private void linkSymbolically(Node directory) {
        byte[] name = request.name(0);
        byte[] target = request.name(name.length + 1);
        byte[] path = path(directory, name);
        if (path != null) {
            entry(Kind.MADE, FileOperation.LINK_SYMBOLICALLY, directory, name);
            out.putBytes(path);
            out.putBytes(target);
            out.end();
        }
    }

    private void readLink(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            call(Kind.DATA).bytes = Names.PATH_MAX;
            out.begin(FileOperation.READ_LINK);
            out.putBytes(path);
            out.end();
        }
    }

    private void figures() {
        call(Kind.FIGURES);
        out.begin(FileOperation.FIGURES);
        out.end();
    }

    // ---- extended attributes

    private void attribute(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            call(Kind.VALUE).bytes = request.getInt(FuseRequests.GETXATTR_SIZE_OFFSET);
            out.begin(FileOperation.GET_ATTRIBUTE);
            out.putBytes(path);
            out.putBytes(request.name(FuseRequests.GETXATTR_BYTES));
            out.end();
        }
    }

    private void listAttributes(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            call(Kind.VALUE).bytes = request.getInt(FuseRequests.GETXATTR_SIZE_OFFSET);
            out.begin(FileOperation.LIST_ATTRIBUTES);
            out.putBytes(path);
            out.end();
        }
    }

    /** The struct has the size of its first version, since FUSE_SETXATTR_EXT is not negotiated. */
    private void setAttribute(Node node) {
        byte[] path = path(node, NO_PATH);
        int bytes = request.getInt(0);
        if (path == null) {
            return;
        }
        if (bytes > FileProtocol.MAX_ATTRIBUTE_BYTES) {
            fail(Errno.ENOSPC);
            return;
        }
        byte[] name = request.name(Long.BYTES);
        call(Kind.STATUS);
        out.begin(FileOperation.SET_ATTRIBUTE);
        out.putBytes(path);
        out.putBytes(name);
        out.putInt(request.getInt(Integer.BYTES));
        out.putData(RawMemory.view(request.dataAddress(Long.BYTES + name.length + 1), bytes), 0, bytes);
        out.end();
    }

    private void removeAttribute(Node node) {
        byte[] path = path(node, NO_PATH);
        if (path != null) {
            call(Kind.STATUS);
            out.begin(FileOperation.REMOVE_ATTRIBUTE);
            out.putBytes(path);
            out.putBytes(request.name(0));
            out.end();
        }
    }
}
