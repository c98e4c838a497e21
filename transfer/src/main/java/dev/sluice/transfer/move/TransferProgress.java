package dev.sluice.transfer.move;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a transfer, for a progress bar that reads them from another thread. */
public final class TransferProgress {
    /** The state of the totals. */
    public enum Totals {
        /** The manifest is still read: the totals grow. */
        GROWING,
        /** The totals are final. */
        FINAL
    }

    /**
     * The counters at a moment.
     *
     * @param totals the state of the two totals
     * @param filesTotal files in the manifest so far
     * @param bytesTotal their bytes
     * @param filesDone files that are complete, the same or failed
     * @param bytesDone bytes of contents settled: transferred, reused, or of files that are the same
     * @param bytesTransferred bytes of contents that went over the wire
     * @param bytesReused bytes of contents that the target had
     * @param failed entries that failed
     */
    public record Snapshot(
            Totals totals,
            long filesTotal,
            long bytesTotal,
            long filesDone,
            long bytesDone,
            long bytesTransferred,
            long bytesReused,
            long failed) {
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

    private final AtomicLong filesTotal = new AtomicLong();
    private final AtomicLong bytesTotal = new AtomicLong();
    private final LongAdder filesDone = new LongAdder();
    private final LongAdder bytesSkipped = new LongAdder();
    private final LongAdder bytesTransferred = new LongAdder();
    private final LongAdder bytesReused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile Totals totals = Totals.GROWING;

    /** Creates counters at 0. */
    public TransferProgress() {}

    /** Returns the counters now; each is recent, not all of the same moment. */
    public Snapshot snapshot() {
        long transferred = bytesTransferred.sum();
        long reused = bytesReused.sum();
        return new Snapshot(
                totals,
                filesTotal.get(),
                bytesTotal.get(),
                filesDone.sum(),
                transferred + reused + bytesSkipped.sum(),
                transferred,
                reused,
                failed.sum());
    }

    void listed(long bytes) {
        filesTotal.incrementAndGet();
        bytesTotal.addAndGet(bytes);
    }

    void listedAll() {
        totals = Totals.FINAL;
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

    void reused(long bytes) {
        bytesReused.add(bytes);
    }

    void failed() {
        failed.increment();
    }
}
