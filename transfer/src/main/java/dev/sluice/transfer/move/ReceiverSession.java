package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.TargetDirectory;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The state that a receiver's streams share: the queue of files, the open files, the first failure. Thread-safe. */
final class ReceiverSession {
    /**
     * Files that wait for a stream: a page of the manifest is asked for while there are fewer. With the requests in
     * flight and four pages it bounds what is held of a tree of any size: about 2.5 MB of paths of usual length.
     */
    static final int QUEUE_FILES_MAX = 8192;

    /** The bytes of paths and attributes of these files, from which on no page is asked for either. */
    static final int QUEUE_BYTES_MAX = 4 << 20;

    /** The course of the first stream, which carries the manifest and the summary. */
    private enum FirstStream {
        /** A connection carries it, or has yet to come. */
        RUNNING,
        /** Its connection was lost, and it may return. */
        LOST,
        /** It has ended in order. */
        FINISHED
    }

    private final TargetTree tree;
    private final ReceiverOptions options;
    private final TransferListener listener;
    private final TransferProgress progress;
    private final Deque<FileTransfer> queue = new ArrayDeque<>();
    private long queueBytes;
    private final Set<FileTransfer> unfinished = new HashSet<>();
    private final ManifestReader manifest;

    /** Parts of files whose stream was lost, for the next stream that has room. */
    private final Deque<FilePart> returned = new ArrayDeque<>();

    /** The streams in use, by their number; written under the lock, which a slow listener may hold for long. */
    private final AtomicReferenceArray<@Nullable StreamOutput> streams =
            new AtomicReferenceArray<>(ProtocolLimits.STREAMS_MAX);

    /** The losses of each stream since it last delivered something. */
    private final int[] lossesInARow = new int[ProtocolLimits.STREAMS_MAX];

    private FirstStream first = FirstStream.RUNNING;
    private long firstLostAt;
    private boolean manifestEnded;
    private boolean ended;
    private int streamsInUse;
    private long filesComplete;
    private long entriesFailed;
    private @Nullable TransferException failure;

    ReceiverSession(TargetTree tree, ReceiverOptions options, TransferListener listener, TransferProgress progress) {
        this.tree = tree;
        this.options = options;
        this.listener = listener;
        this.progress = progress;
        this.manifest = new ManifestReader(this);
    }

    /** Returns the reader of the manifest, for the first stream. */
    ManifestReader manifest() {
        return manifest;
    }

    TargetTree tree() {
        return tree;
    }

    ReceiverOptions options() {
        return options;
    }

    TransferProgress progress() {
        return progress;
    }

    // ---- the queue

    synchronized boolean hasRoom() {
        return !manifestEnded && queue.size() < QUEUE_FILES_MAX && queueBytes < QUEUE_BYTES_MAX;
    }

    synchronized boolean isManifestEnded() {
        return manifestEnded;
    }

    synchronized void add(FileTransfer file) {
        queue.add(file);
        queueBytes += file.heldBytes();
        unfinished.add(file);
        notifyAll();
    }

    synchronized void endManifest() {
        manifestEnded = true;
        progress.listedAll();
        notifyAll();
    }

    /** Returns the next part: one of a lost stream, or of the oldest file; null when none waits. */
    synchronized @Nullable FilePart poll() {
        FilePart lost = returned.poll();
        if (lost != null) {
            return lost;
        }
        while (true) {
            FileTransfer file = queue.peek();
            if (file == null) {
                return null;
            }
            FilePart part = file.nextPart();
            if (part != null) {
                return part;
            }
            queue.remove();
            queueBytes -= file.heldBytes();
        }
    }

    /**
     * Waits until a part may be there to ask for.
     *
     * @param stream the caller's
     * @return false when there will be none any more
     */
    synchronized boolean await(StreamOutput stream) throws TransferException {
        while (failure == null && queue.isEmpty() && returned.isEmpty()) {
            if (isComplete()) {
                return false;
            }
            if (stream.isAborted()) {
                throw new TransferException(
                        TransferFailure.PEER_VANISHED, "connection lost, or opened again by the peer");
            }
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransferException(TransferFailure.CANCELLED, "interrupted", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return true;
    }

    private synchronized boolean isComplete() {
        return manifestEnded && unfinished.isEmpty();
    }

    // ---- results

    /** Reports an entry that is complete or needs nothing. */
    synchronized void settled(TransferEvent event) {
        filesComplete++;
        listener.on(event);
    }

    /** Reports an entry that failed. */
    synchronized void failed(byte[] path, TransferException cause) {
        entriesFailed++;
        progress.failed();
        String message = cause.getMessage();
        listener.on(new TransferEvent.Failed(path, cause.failure(), message == null ? "" : message));
    }

    /** Removes a file that is complete or has failed. */
    synchronized void finished(FileTransfer file) {
        unfinished.remove(file);
        progress.fileDone();
        notifyAll();
    }

    synchronized long filesComplete() {
        return filesComplete;
    }

    synchronized long entriesFailed() {
        return entriesFailed;
    }

    /** Counts a completed entry of a directory, and sets the attributes of directories that are complete by it. */
    void completed(TargetDirectory directory, TargetFiles files) {
        for (TargetDirectory each = directory; each != null && each.completed(); each = each.parent()) {
            if (options.mode() == ReceiverOptions.Mode.DRY_RUN) {
                continue;
            }
            try {
                files.finish(each);
            } catch (TransferException e) {
                failed(each.path(), e);
            }
        }
    }

    // ---- failure

    /**
     * Adds a stream, which a failure of another one aborts; {@link #finished(int)} or {@link #lost}
     * follows. A stream of the same number, whose connection the peer has given up, ends first.
     *
     * @return false when the session has ended, so that the stream has nothing to do
     */
    synchronized boolean enter(int number, StreamOutput stream) throws TransferException {
        while (failure == null && !ended) {
            StreamOutput earlier = streams.get(number);
            if (earlier == null) {
                break;
            }
            earlier.abort();
            notifyAll();
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransferException(TransferFailure.CANCELLED, "interrupted", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            return false;
        }
        streams.set(number, stream);
        streamsInUse++;
        if (number == 0) {
            first = FirstStream.RUNNING;
        }
        return true;
    }

    /** Removes a stream that has ended, in order or by a failure of the session. */
    synchronized void finished(int number) {
        leave(number);
        if (number == 0) {
            first = FirstStream.FINISHED;
        }
    }

    /**
     * Removes a stream whose connection was lost, so that others take over its work.
     *
     * @param parts what it had begun, ready to be asked for again
     * @param delivered true when the connection was of use
     */
    synchronized void lost(int number, Collection<FilePart> parts, boolean delivered) {
        leave(number);
        returned.addAll(parts);
        progress.lost();
        lossesInARow[number] = delivered ? 1 : lossesInARow[number] + 1;
        if (number == 0) {
            first = FirstStream.LOST;
            firstLostAt = System.nanoTime();
        }
    }

    private void leave(int number) {
        streams.set(number, null);
        streamsInUse--;
        notifyAll();
    }

    /** Waits before a stream is opened again; returns false at once when nobody needs it any more. */
    synchronized boolean pause(int number, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (failure == null && !ended && (number == 0 || !isComplete())) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            if (!await(left)) {
                return false;
            }
        }
        return false;
    }

    /** Waits until the first stream, which the peer opens again, has finished; it must return within a limit. */
    synchronized void awaitFirst(TransferException loss) {
        while (failure == null && first != FirstStream.FINISHED) {
            boolean lost = first == FirstStream.LOST;
            long left = lost ? firstLostAt + Reconnection.RETURN_LIMIT.toNanos() - System.nanoTime() : Long.MAX_VALUE;
            boolean tooOften = lost && lossesInARow[0] > Reconnection.DEFAULT.attempts();
            if (left <= 0 || tooOften || !await(left)) {
                fail(loss);
            }
        }
    }

    /** Ends the session if the first stream is lost, since the peer starts again; returns whether it ends. */
    synchronized boolean giveUpIfLost() {
        if (first != FirstStream.LOST) {
            return false;
        }
        fail(new TransferException(TransferFailure.PEER_VANISHED, "the peer has started another transfer"));
        return true;
    }

    private boolean await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sends PING on all streams; one whose connection is lost learns it. */
    void ping() {
        for (int i = 0; i < streams.length(); i++) {
            StreamOutput stream = streams.get(i);
            if (stream != null && !stream.ping()) {
                lost(i, stream);
            }
        }
    }

    private synchronized void lost(int number, StreamOutput stream) {
        if (stream.equals(streams.get(number))) {
            stream.abort();
            notifyAll();
        }
    }

    /** Refuses further streams, and waits for those that are left. */
    synchronized void end() {
        ended = true;
        notifyAll();
        boolean interrupted = false;
        while (streamsInUse > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records a failure of the session, ends all streams and wakes all threads. The first one counts. */
    synchronized void fail(TransferException cause) {
        if (failure == null) {
            failure = cause;
            for (int i = 0; i < streams.length(); i++) {
                StreamOutput stream = streams.get(i);
                if (stream != null) {
                    stream.abort();
                }
            }
            notifyAll();
        }
    }

    synchronized @Nullable TransferException failure() {
        return failure;
    }

    /** Closes the files that the end of the session left open; their contents stay for the next attempt. */
    synchronized void abandonAll() {
        try (TargetFiles files = new TargetFiles(tree)) {
            for (FileTransfer file : unfinished) {
                abandon(file, files);
            }
            unfinished.clear();
        }
    }

    /** Closes the temporary file of a file that failed; that of a small one is removed. */
    static void abandon(FileTransfer file, TargetFiles files) {
        var partial = file.takePartial();
        if (partial == null) {
            return;
        }
        try {
            files.abandon(partial, !file.isSmall());
        } catch (TransferException e) {
            file.fail(e);
        }
    }
}
