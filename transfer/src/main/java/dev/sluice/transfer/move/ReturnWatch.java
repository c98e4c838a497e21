package dev.sluice.transfer.move;

import dev.sluice.transfer.tree.TransferException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The patience of a side that accepts the streams of one peer: when a connection is lost and no other is in use, the
 * peer may open another one within a limit. Thread-safe.
 */
public final class ReturnWatch {
    private final Duration limit;
    private final Consumer<TransferException> expired;
    private int streams;
    private long changes;

    /**
     * Creates a watch.
     *
     * @param limit see {@link Reconnection#RETURN_LIMIT}
     * @param expired called with the last loss, on a thread of its own, when the peer has not returned
     */
    public ReturnWatch(Duration limit, Consumer<TransferException> expired) {
        this.limit = limit;
        this.expired = expired;
    }

    /** Counts a stream that begins. */
    public synchronized void began() {
        streams++;
        changes++;
        notifyAll();
    }

    /** Counts a stream that has ended in order, or has failed so that no other one may do. */
    public synchronized void ended() {
        streams--;
        changes++;
        notifyAll();
    }

    /**
     * Counts a stream that has failed, and waits for the next one if only the connection was lost.
     *
     * @return false when the failure is one of the session
     */
    public synchronized boolean lost(TransferException failure) {
        ended();
        if (!StreamFailures.isLoss(failure)) {
            return false;
        }
        if (streams == 0) {
            long before = changes;
            Thread.ofPlatform().daemon().name("sluice-return").start(() -> await(before, failure));
        }
        return true;
    }

    private void await(long before, TransferException loss) {
        if (isUnchanged(before)) {
            expired.accept(loss);
        }
    }

    private synchronized boolean isUnchanged(long before) {
        long until = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); changes == before && left > 0; left = until - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return changes == before;
    }
}
