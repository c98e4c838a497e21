package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.ExtendedAttribute;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.PartialFile;
import dev.sluice.transfer.tree.TargetDirectory;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TransferException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A file that the target asks for, in parts that several streams may share. */
final class FileTransfer implements MovingFile {
    /** The size of a part: a stream asks for one at a time. */
    static final long PART_BYTES = 64L << 20;

    private final TargetDirectory directory;
    private final Entry entry;
    private final TargetFiles.Presence presence;
    private final long parts;
    private final AtomicLong partsLeft;
    private final AtomicLong reused = new AtomicLong();
    private final AtomicLong transferred = new AtomicLong();
    private long partsGiven;
    private @Nullable PartialFile partial;
    private @Nullable TransferException failure;

    FileTransfer(TargetDirectory directory, Entry entry, TargetFiles.Presence presence) {
        this.directory = directory;
        this.entry = entry;
        this.presence = presence;
        this.parts = (entry.size() - 1) / PART_BYTES + 1;
        this.partsLeft = new AtomicLong(parts);
    }

    TargetDirectory directory() {
        return directory;
    }

    Entry entry() {
        return entry;
    }

    @Override
    public byte[] path() {
        return Names.join(directory.path(), entry.name());
    }

    @Override
    public long size() {
        return entry.size();
    }

    /** Returns the bytes of path and attributes that are held for the file, until it is over. */
    int heldBytes() {
        int bytes = directory.path().length + entry.name().length;
        for (ExtendedAttribute attribute : entry.attributes()) {
            bytes += attribute.bytes();
        }
        return bytes;
    }

    /** Returns the bytes that were neither transferred nor reused: holes, and those of a file that failed. */
    long unmovedBytes() {
        return entry.size() - transferred.get() - reused.get();
    }

    /** Returns all bytes when the last part is over, since holes and what failed are not transferred. */
    @Override
    public long settledBytes() {
        return partsLeft.get() == 0 ? entry.size() : entry.size() - unmovedBytes();
    }

    /** Returns whether one READ fetches the whole file. */
    boolean isSmall() {
        return entry.size() <= ProtocolLimits.CHUNK_BYTES;
    }

    /**
     * Returns the next part; null when all are given. An empty one stands for all that are left of a file that failed:
     * a lying size may stand for more parts than anybody can count. Called under the session's lock.
     */
    @Nullable
    FilePart nextPart() {
        if (partsGiven == parts) {
            return null;
        }
        if (failure() != null) {
            partsLeft.addAndGet(partsGiven + 1 - parts);
            partsGiven = parts;
            return new FilePart(this, entry.size(), entry.size());
        }
        long from = partsGiven * PART_BYTES;
        partsGiven++;
        return new FilePart(this, from, Math.min(from + PART_BYTES, entry.size()));
    }

    /** Returns the temporary file, opened by the first caller. */
    synchronized PartialFile open(TargetFiles files) throws TransferException {
        PartialFile open = partial;
        if (open == null) {
            boolean keep = !isSmall() && presence != TargetFiles.Presence.SAME;
            open = files.open(directory, entry, keep);
            partial = open;
        }
        return open;
    }

    /** Removes the temporary file from this object; null when it was never opened. */
    synchronized @Nullable PartialFile takePartial() {
        PartialFile open = partial;
        partial = null;
        return open;
    }

    /** Returns the temporary file to be completed, and removes it from this object. */
    PartialFile takeComplete(TargetFiles files) throws TransferException {
        PartialFile open = open(files);
        takePartial();
        return open;
    }

    /** Records a failure; the first one counts. */
    synchronized void fail(TransferException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    synchronized @Nullable TransferException failure() {
        return failure;
    }

    /** Counts a part that is over; returns whether it was the last. */
    boolean partDone() {
        return partsLeft.decrementAndGet() == 0;
    }

    void transferred(long bytes) {
        transferred.addAndGet(bytes);
    }

    void reused(long bytes) {
        reused.addAndGet(bytes);
    }

    long reusedBytes() {
        return reused.get();
    }
}
