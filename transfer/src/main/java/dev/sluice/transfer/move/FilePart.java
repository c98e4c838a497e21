package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FileAccess;
import dev.sluice.transfer.tree.PartialFile;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file, asked for and received by one stream: extents first where the file is sparse, hashes where the
 * target has contents of its own, and the chunks that differ or are missing. Confined to the stream's thread.
 */
final class FilePart {
    /** A range of offsets. */
    private record Range(long from, long to) {}

    private final FileTransfer file;
    private final long end;

    /** Ranges with data that are not asked for; the current one shrinks from its front. */
    private final ArrayDeque<Range> data = new ArrayDeque<>();

    /** Chunks whose hashes differ. */
    private final ArrayDeque<Range> missing = new ArrayDeque<>();

    private @Nullable PartialFile partial;
    private long oldSize;
    private boolean extentsKnown;
    private boolean extentsAsked;
    private long extentsFrom;
    private int outstanding;
    private boolean listed;

    FilePart(FileTransfer file, long from, long end) {
        this.file = file;
        this.end = end;
        this.extentsFrom = from;
        if (!file.entry().sparse()) {
            extentsKnown = true;
            data.add(new Range(from, end));
        }
    }

    FileTransfer file() {
        return file;
    }

    /** Opens the file where that is needed before its first bytes. */
    void begin(TargetFiles files) throws TransferException {
        if (file.isSmall() && !file.entry().sparse()) {
            return;
        }
        PartialFile open = file.open(files);
        partial = open;
        if (!file.entry().sparse() && !open.isResumed()) {
            // Takes less time than block by block. A failure is ignored: a file system may compress.
            int _ = files.access().allocate(open.fd(), extentsFrom, end - extentsFrom);
        }
        if (open.oldFd() >= 0 && files.access().stat(open.oldFd()) == 0) {
            oldSize = files.access().size();
        }
    }

    /** Sends the next request; returns false when there is none for now. */
    boolean ask(TargetStream stream) throws IOException {
        if (file.failure() != null) {
            return false;
        }
        Range lost = missing.poll();
        if (lost != null) {
            outstanding++;
            stream.request(FrameType.READ, this, lost.from(), (int) (lost.to() - lost.from()));
            return true;
        }
        if (!extentsKnown && data.isEmpty()) {
            if (extentsAsked) {
                return false;
            }
            extentsAsked = true;
            outstanding++;
            stream.request(FrameType.EXTENTS, this, extentsFrom, 0);
            return true;
        }
        Range next = data.poll();
        if (next == null) {
            return false;
        }
        outstanding++;
        FrameType type = hasContents(stream.access(), next) ? FrameType.HASHES : FrameType.READ;
        long most = (long) ProtocolLimits.CHUNK_BYTES * (type == FrameType.HASHES ? ProtocolLimits.HASHES_MAX : 1);
        long to = Math.min(next.to(), (next.from() / ProtocolLimits.CHUNK_BYTES) * ProtocolLimits.CHUNK_BYTES + most);
        if (to < next.to()) {
            data.addFirst(new Range(to, next.to()));
        }
        stream.request(type, this, next.from(), (int) (to - next.from()));
        return true;
    }

    /** Returns whether all is asked for. */
    boolean isExhausted() {
        return file.failure() != null || (extentsKnown && data.isEmpty() && missing.isEmpty());
    }

    /** Returns whether all is asked for and answered. */
    boolean isOver() {
        return outstanding == 0 && isExhausted();
    }

    /** Returns whether the stream lists the part among those with something to ask for. */
    boolean isListed() {
        return listed;
    }

    void listed(boolean now) {
        listed = now;
    }

    /** Counts an answer. */
    void answered() {
        outstanding--;
    }

    /** Takes back a request whose stream was lost before its answer had arrived whole. */
    void takeBack(FrameType type, long offset, int length) {
        outstanding--;
        switch (type) {
            case READ -> missing.add(new Range(offset, offset + length));
            case HASHES -> data.addFirst(new Range(offset, offset + length));
            case EXTENTS -> extentsAsked = false;
            default -> throw new IllegalArgumentException("no request about a file: type=" + type);
        }
    }

    /** Returns whether the target has contents of its own in the first chunk of a range. */
    private boolean hasContents(FileAccess files, Range range) {
        PartialFile open = partial;
        if (open == null) {
            return false;
        }
        if (range.from() < oldSize) {
            return true;
        }
        if (!open.isResumed()) {
            return false;
        }
        long found = files.seekData(open.fd(), range.from());
        return found >= 0 && found < Math.min(range.to(), range.from() + ProtocolLimits.CHUNK_BYTES);
    }

    // ---- answers

    /** Takes EXTENT_LIST: the gaps between extents become holes, or zeros where an earlier attempt left contents. */
    void extents(FieldReader in, boolean last, TargetFiles files) throws TransferException {
        extentsAsked = false;
        boolean over = last;
        while (in.remaining() > 0) {
            long from = in.getLong();
            long to = in.getLong();
            if (from < extentsFrom || to <= from || to > file.entry().size()) {
                throw new TransferException(
                        TransferFailure.PROTOCOL_VIOLATION, "extent rejected: from=" + from + ", to=" + to);
            }
            zero(files.access(), extentsFrom, Math.min(from, end));
            if (from < end) {
                data.add(new Range(from, Math.min(to, end)));
            }
            extentsFrom = Math.min(to, end);
            if (to >= end) {
                over = true;
                break;
            }
        }
        if (over) {
            zero(files.access(), extentsFrom, end);
            extentsKnown = true;
        } else if (data.isEmpty()) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "empty list of extents that is not the last");
        }
    }

    private void zero(FileAccess files, long from, long to) throws TransferException {
        PartialFile open = partial;
        if (open == null || !open.isResumed()) {
            return;
        }
        long at = files.seekData(open.fd(), from);
        while (at >= 0 && at < to) {
            int length = (int) Math.min(FileAccess.BUFFER_BYTES, to - at);
            RawMemory.zero(files.buffer(), length);
            int result = files.write(open.fd(), files.buffer(), length, at);
            if (result < 0) {
                throw TransferException.of("pwritev", file.path(), result);
            }
            at = files.seekData(open.fd(), at + length);
        }
    }

    /** Takes HASHED: what the target has is kept or copied, the rest will be asked for. Returns the bytes kept. */
    long hashes(FieldReader in, long offset, int length, TargetStream stream) throws TransferException {
        PartialFile open = partial;
        if (open == null) {
            throw new IllegalStateException("hashes asked for a file that is not open");
        }
        long kept = 0;
        for (long at = offset; at < offset + length; ) {
            long next = Math.min(offset + length, at + ProtocolLimits.CHUNK_BYTES);
            byte[] wanted = in.get(ProtocolLimits.HASH_BYTES);
            int chunk = (int) (next - at);
            if (open.isResumed() && stream.hashesTo(open.fd(), at, chunk, wanted)) {
                kept += chunk;
            } else if (at + chunk <= oldSize && stream.hashesTo(open.oldFd(), at, chunk, wanted)) {
                int result = stream.access().write(open.fd(), stream.access().buffer(), chunk, at);
                if (result < 0) {
                    throw TransferException.of("pwritev", file.path(), result);
                }
                kept += chunk;
            } else {
                missing.add(new Range(at, next));
            }
            at = next;
        }
        return kept;
    }
}
