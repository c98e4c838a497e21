package dev.sluice.transfer.mount;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.transfer.files.FileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state that the two threads of a mount share. Everything is guarded by {@link #lock}, which neither holds while it
 * sends or receives.
 */
final class MountState implements AutoCloseable {
    /** The most requests in flight. */
    private static final int MAX_CALLS = 1024;

    final ReentrantLock lock = new ReentrantLock();

    /** Signalled when answers have made room for requests, and when the peer is gone. */
    final Condition progress = lock.newCondition();

    final Nodes nodes = new Nodes();
    final OpenTable<OpenFile> files = new OpenTable<>();
    final OpenTable<OpenDirectory> directories = new OpenTable<>();
    final CallQueue calls = new CallQueue(MAX_CALLS);
    final BlockCache cache;
    final List<WaitingRead> waiting = new ArrayList<>();

    /** The bytes written that the peer has not confirmed. */
    long unconfirmedBytes;

    Peer peer = Peer.PRESENT;

    private final Deque<WaitingRead> idleReads = new ArrayDeque<>();

    /** The peer, as far as this side knows. */
    enum Peer {
        /** Answers. */
        PRESENT,
        /** The channel has failed; every access fails. */
        GONE
    }

    /** Creates the state of a mount without open files. */
    MountState(MountSettings settings) {
        cache = new BlockCache(settings.cacheBytes());
    }

    /** Returns a read without blocks, to be added to {@link #waiting} or given back. */
    WaitingRead read(long unique, long offset, int bytes) {
        WaitingRead read = idleReads.poll();
        if (read == null) {
            read = new WaitingRead();
        }
        read.unique = unique;
        read.offset = offset;
        read.bytes = bytes;
        read.count = 0;
        return read;
    }

    /** Answers a read from its blocks, and gives it back. */
    void complete(WaitingRead read, FuseReplies replies) {
        int error = read.error();
        if (error != 0) {
            replies.status(read.unique, error);
        } else {
            replies.sendBlocks(read);
        }
        giveBack(read);
    }

    /** Ends the use of a read's blocks. */
    void giveBack(WaitingRead read) {
        for (int i = 0; i < read.count; i++) {
            Block block = read.blocks[i];
            long end = (block.index + 1) * BlockCache.BLOCK_BYTES;
            if (read.offset + read.bytes >= end) {
                cache.consumed(block);
            }
            cache.unpin(block);
        }
        idleReads.push(read);
    }

    /** Records a node's attributes; drops what is cached of contents that have changed. */
    boolean observe(Node node, FileAttributes attributes) {
        boolean changed = node.observe(attributes);
        if (changed) {
            cache.drop(node);
        }
        return changed;
    }

    /** Fails everything in flight with EIO. */
    void peerGone(FuseReplies replies) {
        peer = Peer.GONE;
        while (!calls.isEmpty()) {
            abandon(calls.first(), replies);
            calls.remove();
        }
        for (WaitingRead read : waiting) {
            complete(read, replies);
        }
        waiting.clear();
        progress.signalAll();
    }

    private void abandon(Call call, FuseReplies replies) {
        Block block = call.block;
        if (block != null) {
            cache.loaded(block, 0, Errno.EIO);
        }
        OpenFile file = call.file;
        if (file != null && call.kind == Call.Kind.WRITTEN_BEHIND) {
            file.failed(Errno.EIO);
        }
        if (call.unique != 0) {
            replies.status(call.unique, Errno.EIO);
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
