package dev.sluice.transfer.mount;

import org.jspecify.annotations.Nullable;

/** An open file: the peer's handle, the state of reading ahead and of writing behind. Guarded by the mount's lock. */
final class OpenFile {
    /** The first window of a sequential reader. */
    private static final long FIRST_WINDOW_BYTES = 256 * 1024;
    /** The distance from the expected offset at which a read is still sequential: the kernel reorders a little. */
    private static final long SLACK_BYTES = 512 * 1024;

    final Node node;
    int handle;

    /** The writes that the peer has not confirmed. */
    int unconfirmed;

    /** The first error of a write since the last flush or fsync, or 0. */
    private int error;

    /** The last error that no later write has reported, or 0. */
    private int unreported;

    /** Another open file of the same node. */
    @Nullable
    OpenFile next;

    private long expected;
    private long window;
    private long aheadUntil;

    /** Creates a file whose handle is not known yet. */
    OpenFile(Node node) {
        this.node = node;
    }

    /** Returns the error of earlier writes, once. */
    int takeError() {
        int result = error;
        error = 0;
        unreported = 0;
        return result;
    }

    /** Returns an error of earlier writes for the next write, once; flush and fsync report it, too. */
    int takeUnreported() {
        int result = unreported;
        unreported = 0;
        return result;
    }

    /** Records the error of a write. */
    void failed(int errno) {
        unreported = errno;
        if (error == 0) {
            error = errno;
        }
    }

    /** Records a read; returns whether it continues the previous ones. */
    boolean isSequential(long offset, int bytes, long maxWindow) {
        boolean sequential = Math.abs(offset - expected) <= SLACK_BYTES;
        if (sequential) {
            window = Math.min(maxWindow, Math.max(FIRST_WINDOW_BYTES, window * 2));
            expected = Math.max(expected, offset + bytes);
        } else {
            window = 0;
            aheadUntil = 0;
            expected = offset + bytes;
        }
        return sequential;
    }

    /** Returns the first offset to be read ahead, after a read that ended at an offset. */
    long aheadFrom(long end) {
        return Math.max(aheadUntil, end);
    }

    /** Returns the offset up to which to read ahead. */
    long aheadTo() {
        return expected + window;
    }

    /** Records what has been requested ahead. */
    void requestedUntil(long offset) {
        aheadUntil = offset;
    }
}
