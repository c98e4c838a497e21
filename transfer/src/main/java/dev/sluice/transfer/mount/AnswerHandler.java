package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseAnswers;
import dev.sluice.ffi.fuse.FuseConstants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.Slab;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.files.FileAttributes;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.mount.OpenDirectory.Listed;
import dev.sluice.transfer.tree.Names;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * The peer's answers, turned into answers to the kernel. The receiving thread reads an answer without the lock, and
 * completes its call under it.
 */
final class AnswerHandler {
    private final MountState state;
    private final FrameReader in;
    private final FuseReplies replies;
    private final FileAttributes attributes = new FileAttributes();

    /** Creates a handler. */
    AnswerHandler(MountState state, FrameReader in, FuseReplies replies) {
        this.state = state;
        this.in = in;
        this.replies = replies;
    }

    /**
     * Handles answers until the peer ends its stream.
     *
     * @throws ChannelException when the channel fails, or the peer violates the protocol
     */
    void run() throws ChannelException {
        while (in.next()) {
            handle(oldest());
        }
    }

    private Call oldest() throws ChannelException {
        state.lock.lock();
        try {
            if (state.calls.isEmpty()) {
                throw protocol("answer without a request");
            }
            return state.calls.first();
        } finally {
            state.lock.unlock();
        }
    }

    /** The call stays the oldest one until this thread removes it. */
    private void handle(Call call) throws ChannelException {
        int errno = in.getInt();
        if (errno < 0 || errno > FileProtocol.MAX_ERRNO) {
            throw protocol("errno " + errno + " is none");
        }
        switch (call.kind) {
            case ENTRY, MADE, CREATED, OPENED, ATTRIBUTES -> handleAttributes(call, errno);
            case BLOCK -> handleBlock(call, errno);
            case DATA -> handleData(call, errno);
            case VALUE -> handleValue(call, errno);
            case PAGE -> handlePage(call, errno);
            case DIRECTORY_OPENED -> handleDirectory(call, errno);
            case FIGURES -> handleFigures(call, errno);
            default -> complete(() -> status(call, errno));
        }
    }

    private void complete(Runnable completion) {
        state.lock.lock();
        try {
            completion.run();
            state.calls.remove();
            state.progress.signalAll();
        } finally {
            state.lock.unlock();
        }
    }

    private static ChannelException protocol(String message) {
        return new ChannelException(ChannelFailure.PROTOCOL, "mount: " + message + "; the peer misbehaves");
    }

    // ---- answers without fields

    private void status(Call call, int errno) {
        switch (call.kind) {
            case WRITTEN_BEHIND, WRITTEN -> written(call, errno);
            case FLUSHED -> flushed(call, errno);
            case REMOVED -> removed(call, errno);
            case RENAMED -> renamed(call, errno);
            case IGNORED -> {
                // Nobody waits for it.
            }
            default -> replies.status(call.unique, errno);
        }
    }

    private void written(Call call, int errno) {
        OpenFile file = Objects.requireNonNull(call.file);
        file.unconfirmed--;
        state.unconfirmedBytes -= call.bytes;
        if (call.kind == Call.Kind.WRITTEN_BEHIND) {
            if (errno != 0) {
                file.failed(errno);
            }
        } else if (errno != 0) {
            replies.status(call.unique, errno);
        } else {
            replies.written(call.unique, call.bytes);
        }
    }

    private void flushed(Call call, int errno) {
        int earlier = Objects.requireNonNull(call.file).takeError();
        replies.status(call.unique, earlier != 0 ? earlier : errno);
    }

    private void removed(Call call, int errno) {
        Node directory = Objects.requireNonNull(call.node);
        Node node = directory.child(Objects.requireNonNull(call.name));
        if (errno == 0 && node != null) {
            state.nodes.detach(node);
        }
        replies.status(call.unique, errno);
    }

    private void renamed(Call call, int errno) {
        Call.Renaming renaming = call.renaming;
        if (errno != 0 && renaming != null) {
            Node node = renaming.node;
            Node parent = node.parent;
            byte[] name = node.name;
            state.nodes.move(node, renaming.formerParent, renaming.formerName);
            Node replaced = renaming.replaced;
            if (replaced != null && parent != null) {
                state.nodes.move(replaced, parent, name);
            }
        }
        replies.status(call.unique, errno);
    }

    // ---- attributes

    private void handleAttributes(Call call, int errno) throws ChannelException {
        int handle = 0;
        if (errno == 0) {
            if (call.kind == Call.Kind.OPENED || call.kind == Call.Kind.CREATED) {
                handle = in.getInt();
            }
            attributes.read(in);
        }
        int opened = handle;
        complete(() -> attributes(call, errno, opened));
    }

    private void attributes(Call call, int errno, int handle) {
        Node node = Objects.requireNonNull(call.node);
        boolean absent = errno == Errno.ENOENT && call.kind == Call.Kind.ENTRY;
        if (errno != 0 && !absent) {
            // The kernel looks a stale name up again, and then creates the file, or reports that it is absent.
            boolean stale =
                    errno == Errno.ENOENT && (call.kind == Call.Kind.OPENED || call.kind == Call.Kind.ATTRIBUTES);
            replies.status(call.unique, stale ? Errno.ESTALE : errno);
            return;
        }
        switch (call.kind) {
            case ATTRIBUTES -> {
                state.observe(node, attributes);
                replies.send(call.unique, replies.putAttributes(attributes));
            }
            case OPENED -> opened(call, node, handle);
            default -> named(call, node, handle, absent);
        }
    }

    private void opened(Call call, Node node, int handle) {
        OpenFile file = new OpenFile(node);
        file.handle = handle;
        node.opened(file);
        boolean changed = state.observe(node, attributes);
        if (changed) {
            // Else the new contents would be read up to the former size.
            replies.invalidateAttributes(node);
        }
        int flags = changed ? 0 : FuseConstants.FOPEN_KEEP_CACHE;
        replies.send(call.unique, replies.putOpen(0, state.files.add(file), flags));
    }

    private void named(Call call, Node directory, int handle, boolean absent) {
        if (absent) {
            replies.send(call.unique, replies.putAbsent(0));
            return;
        }
        Node node = state.nodes.reference(directory, Objects.requireNonNull(call.name), attributes);
        state.observe(node, attributes);
        int bytes = replies.putEntry(0, node, attributes);
        if (call.kind == Call.Kind.CREATED) {
            OpenFile file = new OpenFile(node);
            file.handle = handle;
            node.opened(file);
            bytes += replies.putOpen(bytes, state.files.add(file), 0);
        }
        replies.send(call.unique, bytes);
    }

    // ---- data

    private void handleBlock(Call call, int errno) throws ChannelException {
        Block block = Objects.requireNonNull(call.block);
        Slab slab = Objects.requireNonNull(block.slab);
        int bytes = in.left();
        if (bytes > BlockCache.BLOCK_BYTES) {
            throw protocol("block of " + bytes + " bytes");
        }
        in.getData(slab.segment(), 0, bytes);
        complete(() -> {
            state.cache.loaded(block, bytes, errno);
            completeReads();
        });
    }

    private void completeReads() {
        Iterator<WaitingRead> each = state.waiting.iterator();
        while (each.hasNext()) {
            WaitingRead read = each.next();
            if (read.isComplete()) {
                each.remove();
                state.complete(read, replies);
            }
        }
    }

    private void handleData(Call call, int errno) throws ChannelException {
        int bytes = in.left();
        if (bytes > call.bytes) {
            throw protocol(bytes + " bytes for a request of " + call.bytes);
        }
        in.getData(replies.body(), 0, bytes);
        complete(() -> {
            if (errno != 0) {
                replies.status(call.unique, errno);
            } else {
                replies.send(call.unique, bytes);
            }
        });
    }

    /** The kernel asks for the size alone by a size of 0. */
    private void handleValue(Call call, int errno) throws ChannelException {
        int bytes = in.left();
        if (bytes > FileProtocol.MAX_ATTRIBUTE_BYTES) {
            throw protocol("value of " + bytes + " bytes");
        }
        in.getData(replies.body(), 0, bytes);
        complete(() -> {
            if (errno != 0) {
                replies.status(call.unique, errno);
            } else if (call.bytes == 0) {
                replies.valueSize(call.unique, bytes);
            } else if (bytes > call.bytes) {
                replies.status(call.unique, Errno.ERANGE);
            } else {
                replies.send(call.unique, bytes);
            }
        });
    }

    // ---- directories

    private void handleDirectory(Call call, int errno) throws ChannelException {
        int handle = errno == 0 ? in.getInt() : 0;
        complete(() -> {
            if (errno != 0) {
                replies.status(call.unique, errno);
                return;
            }
            OpenDirectory directory = new OpenDirectory();
            directory.handle = handle;
            replies.send(call.unique, replies.putOpen(0, state.directories.add(directory), 0));
        });
    }

    private void handlePage(Call call, int errno) throws ChannelException {
        List<Listed> entries = new ArrayList<>();
        while (errno == 0 && in.left() > 0) {
            entries.add(listed());
        }
        complete(() -> {
            if (errno != 0) {
                replies.status(call.unique, errno);
                return;
            }
            OpenDirectory directory = Objects.requireNonNull(call.directory);
            directory.received(call.cookie, entries);
            Node node = Objects.requireNonNull(call.node);
            Listings.reply(state, replies, directory, node, call.unique, call.bytes, call.listing);
        });
    }

    private Listed listed() throws ChannelException {
        long cookie = in.getLong();
        FileAttributes of = new FileAttributes();
        of.read(in);
        Listed listed = new Listed(cookie, in.getBytes(), of);
        if (listed.name().length == 0 || (!listed.isDots() && !Names.isName(listed.name()))) {
            throw protocol("name " + Names.printable(listed.name()) + " in a directory");
        }
        return listed;
    }

    // ---- figures

    private void handleFigures(Call call, int errno) throws ChannelException {
        replies.putZeros(0, FuseAnswers.STATFS_BYTES);
        if (errno == 0) {
            int blockBytes = in.getInt();
            replies.putInt(FuseAnswers.STATFS_BSIZE_OFFSET, blockBytes);
            replies.putInt(FuseAnswers.STATFS_FRSIZE_OFFSET, blockBytes);
            replies.putInt(FuseAnswers.STATFS_NAMELEN_OFFSET, in.getInt());
            replies.putLong(FuseAnswers.STATFS_BLOCKS_OFFSET, in.getLong());
            replies.putLong(FuseAnswers.STATFS_BFREE_OFFSET, in.getLong());
            replies.putLong(FuseAnswers.STATFS_BAVAIL_OFFSET, in.getLong());
            replies.putLong(FuseAnswers.STATFS_FILES_OFFSET, in.getLong());
            replies.putLong(FuseAnswers.STATFS_FFREE_OFFSET, in.getLong());
        }
        complete(() -> {
            if (errno != 0) {
                replies.status(call.unique, errno);
            } else {
                replies.send(call.unique, FuseAnswers.STATFS_BYTES);
            }
        });
    }
}
