package dev.sluice.transfer.move;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The counters of one stream, which its thread writes and the thread that shows the progress reads. */
final class StreamProgress implements AutoCloseable {
    private final TransferProgress all;
    private final int number;
    private final AtomicLong bytes = new AtomicLong();
    private volatile @Nullable MovingFile file;

    StreamProgress(TransferProgress all, int number) {
        this.all = all;
        this.number = number;
    }

    int number() {
        return number;
    }

    long bytes() {
        return bytes.get();
    }

    /** Returns the file whose contents the stream moves now; null for none. */
    @Nullable
    MovingFile file() {
        return file;
    }

    /** Counts contents of a file, which counts them itself. */
    void transferred(MovingFile moved, long count) {
        file = moved;
        bytes.addAndGet(count);
    }

    /** Counts contents of a file that this side sends, by its path. */
    void sent(byte[] path, long size, long count) {
        SentFile now = file instanceof SentFile same && Arrays.equals(same.path(), path) ? same : enter(path, size);
        now.count(count);
        transferred(now, count);
    }

    private SentFile enter(byte[] path, long size) {
        leave();
        return all.enter(path, size);
    }

    private void leave() {
        if (file instanceof SentFile left) {
            all.leave(left);
        }
        file = null;
    }

    /** Removes the stream from the progress. */
    @Override
    public void close() {
        leave();
        all.remove(this);
    }
}
