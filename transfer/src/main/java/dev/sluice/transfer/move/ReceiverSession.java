package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TargetDirectory;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TargetTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state that a receiver's streams share: the queue of files, the open files, the first failure. Thread-safe. */
final class ReceiverSession {
    /** Files that wait for a stream: a page of the manifest is asked for while there are fewer. */
    private static final int QUEUE_FILES_MAX = 8192;

    private final TargetTree tree;
    private final ReceiverOptions options;
    private final TransferListener listener;
    private final TransferProgress progress;
    private final Deque<FileTransfer> queue = new ArrayDeque<>();
    private final Set<FileTransfer> unfinished = new HashSet<>();
    private final List<Wire> wires = new ArrayList<>();
    private boolean manifestEnded;
    private boolean ended;
    private int streams;
    private long filesComplete;
    private long entriesFailed;
    private @Nullable TransferException failure;

    ReceiverSession(TargetTree tree, ReceiverOptions options, TransferListener listener, TransferProgress progress) {
        this.tree = tree;
        this.options = options;
        this.listener = listener;
        this.progress = progress;
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
        return !manifestEnded && queue.size() < QUEUE_FILES_MAX;
    }

    synchronized boolean isManifestEnded() {
        return manifestEnded;
    }

    synchronized void add(FileTransfer file) {
        queue.add(file);
        unfinished.add(file);
        notifyAll();
    }

    synchronized void endManifest() {
        manifestEnded = true;
        progress.listedAll();
        notifyAll();
    }

    /** Returns the next part of the oldest file; null when none waits. */
    synchronized @Nullable FilePart poll() {
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
        }
    }

    /**
     * Waits until a file may be in the queue.
     *
     * @return false when there will be none any more
     */
    synchronized boolean await() throws TransferException {
        while (failure == null && queue.isEmpty()) {
            if (manifestEnded && unfinished.isEmpty()) {
                return false;
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

    /** Adds a stream, which a failure of another one aborts; {@link #left} follows. */
    synchronized void enter(Wire wire) throws TransferException {
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            throw new TransferException(TransferFailure.CANCELLED, "stream refused: the session has ended");
        }
        wires.add(wire);
        streams++;
    }

    /** Removes a stream that has ended. */
    synchronized void left(Wire wire) {
        if (wires.remove(wire)) {
            streams--;
            notifyAll();
        }
    }

    /** Refuses further streams, and waits for those that are left. */
    synchronized void end() {
        ended = true;
        boolean interrupted = false;
        while (streams > 0) {
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
            wires.forEach(Wire::abort);
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
