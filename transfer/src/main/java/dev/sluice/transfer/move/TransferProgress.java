package dev.sluice.transfer.move;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a transfer, for a progress bar that reads them from another thread. The totals grow while the
 * manifest is read, since contents flow from its first page on; {@link Snapshot#totals} says when they are final.
 */
public final class TransferProgress {
    /** The state of the totals. */
    public enum Totals {
        /** The manifest is still read: the totals grow. */
        GROWING,
        /** The totals are final. */
        FINAL
    }

    /**
     * A file that is transferred.
     *
     * @param path below the root of the tree
     * @param size in bytes
     * @param done bytes of its contents settled
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record ActiveFile(byte[] path, long size, long done) {}

    /**
     * A stream that is open.
     *
     * @param number in its session
     * @param bytes bytes of contents that it transferred
     * @param path of the file that it transfers; null for none
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record ActiveStream(int number, long bytes, byte @Nullable [] path) {}

    /**
     * The counters at a moment.
     *
     * @param totals the state of the two totals
     * @param filesTotal files in the manifest so far
     * @param bytesTotal their bytes
     * @param filesDone files that are complete, the same or failed
     * @param bytesDone bytes of contents settled: transferred, reused, or of files that are the same
     * @param bytesTransferred bytes of contents that went over the wire, as they are in files
     * @param bytesReused bytes of contents that the target had
     * @param failed entries that failed
     * @param files the files that streams transfer now, in the order of their paths
     * @param streams the open streams, in the order of their numbers
     */
    public record Snapshot(
            Totals totals,
            long filesTotal,
            long bytesTotal,
            long filesDone,
            long bytesDone,
            long bytesTransferred,
            long bytesReused,
            long failed,
            List<ActiveFile> files,
            List<ActiveStream> streams) {
        /**
         * Estimates the time left from a rate; -1 while the totals grow or nothing moves.
         *
         * @param bytesPerSecond the rate of {@link #bytesDone}
         */
        public long secondsLeft(double bytesPerSecond) {
            if (totals == Totals.GROWING || bytesPerSecond <= 0) {
                return -1;
            }
            return (long) Math.ceil(Math.max(0, bytesTotal - bytesDone) / bytesPerSecond);
        }
    }

    private final Set<StreamProgress> streams = ConcurrentHashMap.newKeySet();
    private final Map<ByteBuffer, SentFile> sent = new HashMap<>();
    private final AtomicLong filesTotal = new AtomicLong();
    private final AtomicLong bytesTotal = new AtomicLong();
    private final LongAdder filesDone = new LongAdder();
    private final LongAdder bytesSkipped = new LongAdder();
    private final LongAdder bytesTransferred = new LongAdder();
    private final LongAdder bytesReused = new LongAdder();
    private final LongAdder bytesSaved = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder streamsLost = new LongAdder();
    private volatile Totals totals = Totals.GROWING;

    /** Creates counters at 0. */
    public TransferProgress() {}

    /** Returns the counters now; each is recent, not all of the same moment. */
    public Snapshot snapshot() {
        long transferred = bytesTransferred.sum();
        long reused = bytesReused.sum();
        List<StreamProgress> open = streams.stream()
                .sorted(Comparator.comparingInt(StreamProgress::number))
                .toList();
        return new Snapshot(
                totals,
                filesTotal.get(),
                bytesTotal.get(),
                filesDone.sum(),
                transferred + reused + bytesSkipped.sum(),
                transferred,
                reused,
                failed.sum(),
                filesOf(open),
                open.stream().map(TransferProgress::state).toList());
    }

    /** Returns the bytes of contents that went over the wire, compressed where they were. */
    public long bytesOnWire() {
        return bytesTransferred.sum() - bytesSaved.sum();
    }

    /** Returns the number of streams whose connection was lost, and that were opened again as far as possible. */
    public long streamsLost() {
        return streamsLost.sum();
    }

    void listed(long bytes) {
        filesTotal.incrementAndGet();
        bytesTotal.addAndGet(bytes);
    }

    void listedAll() {
        totals = Totals.FINAL;
    }

    void lost() {
        streamsLost.increment();
    }

    void fileDone() {
        filesDone.increment();
    }

    void skipped(long bytes) {
        bytesSkipped.add(bytes);
    }

    void transferred(long bytes) {
        bytesTransferred.add(bytes);
    }

    /** Counts what compression made of contents that {@link #transferred} counts as a whole. */
    void saved(long bytes) {
        bytesSaved.add(bytes);
    }

    void reused(long bytes) {
        bytesReused.add(bytes);
    }

    void failed() {
        failed.increment();
    }

    /** Returns the files of the streams that are not settled. */
    private static List<ActiveFile> filesOf(List<StreamProgress> open) {
        return open.stream()
                .map(StreamProgress::file)
                .filter(Objects::nonNull)
                .distinct()
                .map(file -> new ActiveFile(file.path(), file.size(), file.settledBytes()))
                .filter(file -> file.done() < file.size())
                .sorted(Comparator.comparing(ActiveFile::path, Arrays::compare))
                .toList();
    }

    private static ActiveStream state(StreamProgress stream) {
        MovingFile file = stream.file();
        return new ActiveStream(stream.number(), stream.bytes(), file == null ? null : file.path());
    }

    /** Adds a stream, whose thread closes it. */
    StreamProgress stream(int number) {
        StreamProgress stream = new StreamProgress(this, number);
        streams.add(stream);
        return stream;
    }

    void remove(StreamProgress stream) {
        streams.remove(stream);
    }

    /** Returns the file that a stream begins to send: the same for all streams that send it at the same time. */
    SentFile enter(byte[] path, long size) {
        synchronized (sent) {
            return sent.computeIfAbsent(ByteBuffer.wrap(path), _ -> new SentFile(path, size))
                    .entered();
        }
    }

    /** Records that a stream sends something else. */
    void leave(SentFile file) {
        synchronized (sent) {
            if (file.left()) {
                sent.remove(ByteBuffer.wrap(file.path()));
            }
        }
    }
}
