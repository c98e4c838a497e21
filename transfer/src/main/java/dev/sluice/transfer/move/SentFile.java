package dev.sluice.transfer.move;

import java.util.concurrent.atomic.AtomicLong;

/** A file that one or several streams of a source send. */
final class SentFile implements MovingFile {
    private final byte[] path;
    private final long size;
    private final AtomicLong sent = new AtomicLong();
    private int streams;

    SentFile(byte[] path, long size) {
        this.path = path;
        this.size = size;
    }

    @Override
    public byte[] path() {
        return path;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long settledBytes() {
        return sent.get();
    }

    void count(long bytes) {
        sent.addAndGet(bytes);
    }

    /** Counts a stream that sends the file; under the lock of {@link TransferProgress}. */
    SentFile entered() {
        streams++;
        return this;
    }

    /** Counts a stream that has left the file; returns whether it was the last. Under the same lock. */
    boolean left() {
        return --streams == 0;
    }
}
