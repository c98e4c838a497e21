package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.digest.Gmac;
import dev.sluice.ffi.openssl.digest.Sha256;
import dev.sluice.ffi.zstd.Zstd;
import dev.sluice.transfer.protocol.FileRequest;
import dev.sluice.transfer.protocol.FrameInput;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.FrameType;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Start;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.EntryCodec;
import dev.sluice.transfer.tree.EntryKind;
import dev.sluice.transfer.tree.ExtendedAttribute;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.FileAccess;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.SourceCursor;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One stream of a source: reads requests and answers each in turn. Confined to one thread. */
final class SourceStream implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final int ENTRY_FIXED_BYTES = 300;
    private static final int DRAIN_BYTES_MAX = 1 << 20;

    /** More frames than a target sends before it has an answer: requests and a few more. */
    private static final int FRAMES_UNREAD_MAX = 2 * Pending.REQUESTS_MAX;

    /** Contents of this size or more begin in a record of their own and leave at once; smaller ones are batched. */
    private static final int LARGE_BYTES = 64 * 1024;

    /** The time after which a page is sent as it is, empty or not: filters may exclude millions of files. */
    private static final long PAGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Wire wire;
    private final FrameInput in;
    private final FrameOutput out;
    private final SourceTree tree;
    private final BandwidthLimit limit;
    private final TransferProgress progress;
    private final Listing listing;
    private final StreamParts parts = new StreamParts();
    private final FileAccess files;
    private final Sha256 sha;
    private final FileRequest request = new FileRequest();
    private final byte[] checksum = new byte[ProtocolLimits.CHECKSUM_BYTES];
    private final byte[] hashes = new byte[ProtocolLimits.HASHES_MAX * ProtocolLimits.HASH_BYTES];
    private final FieldWriter page = new FieldWriter(ProtocolLimits.PAYLOAD_BYTES_MAX);
    private byte[] prefix = {};
    private @Nullable StreamProgress stream;
    private byte[] openPath = {};
    private int openFd = -1;
    private @Nullable Gmac gmac;
    private @Nullable ChunkCompressor compressor;
    private @Nullable SourceCursor cursor;
    private @Nullable Entry carried;
    private boolean walked;
    private boolean delivered;

    SourceStream(Wire wire, SourceTree tree, BandwidthLimit limit, TransferProgress progress, Listing listing) {
        this.wire = wire;
        this.in = new FrameInput(wire);
        this.out = new FrameOutput(wire);
        this.tree = tree;
        this.limit = limit;
        this.progress = progress;
        this.listing = listing;
        try {
            this.files = parts.add(new FileAccess(), FileAccess::close);
            this.sha = parts.add(new Sha256(), Sha256::close);
        } catch (Throwable t) {
            parts.close();
            throw t;
        }
    }

    /** Returns whether the target has asked for contents on this stream. */
    boolean hasDelivered() {
        return delivered;
    }

    /** Serves the stream until its end, after this side has connected. */
    @Nullable
    TransferSummary connected(Hello ours, Sender.StreamsWanted wanted) throws TransferException {
        return run(
                () -> {
                    out.hello(ours);
                    out.flush();
                    return in.hello(TransferRole.SOURCE);
                },
                wanted);
    }

    /**
     * Serves the stream until its end, after the peer has connected.
     *
     * @param theirs the peer's hello; null to read it
     */
    @Nullable
    TransferSummary accepted(@Nullable Hello theirs) throws TransferException {
        return run(
                () -> {
                    Hello hello = theirs == null ? in.hello(TransferRole.SOURCE) : theirs;
                    out.hello(Hello.of(TransferRole.SOURCE, hello.stream(), hello.session()));
                    out.flush();
                    return hello;
                },
                wanted -> {});
    }

    /** An exchange of hellos. */
    private interface Greeting {
        /** Returns the peer's. */
        Hello exchange() throws IOException;
    }

    private @Nullable TransferSummary run(Greeting greeting, Sender.StreamsWanted wanted) throws TransferException {
        try {
            return converse(greeting.exchange(), wanted);
        } catch (IOException | RuntimeException | Error e) {
            TransferException failure = StreamFailures.of(e);
            if (StreamFailures.isLoss(failure)) {
                throw reasonOf(failure);
            }
            reject(failure);
            throw failure;
        }
    }

    private @Nullable TransferSummary converse(Hello theirs, Sender.StreamsWanted wanted) throws IOException {
        Start start = in.start();
        gmac = start.checksums() ? parts.add(new Gmac(theirs.session()), Gmac::close) : null;
        boolean compressing = start.compression() && Zstd.isAvailable();
        compressor = compressing ? parts.add(new ChunkCompressor(), ChunkCompressor::close) : null;
        prefix = Names.parent(start.path());
        stream = parts.add(progress.stream(theirs.stream()), StreamProgress::close);
        if (theirs.stream() == 0) {
            listing.begin();
            cursor =
                    parts.add(tree.walk(files, start.path(), start.filters(), start.attributes()), SourceCursor::close);
            wanted.open(start.streams());
        }
        return answer(theirs.stream() == 0);
    }

    private @Nullable TransferSummary answer(boolean first) throws IOException {
        while (true) {
            if (!wire.hasPieces()) {
                out.flush();
            }
            FrameType type = in.nextOrEnd();
            if (type == null) {
                if (first) {
                    throw new TransferException(TransferFailure.PEER_VANISHED, "the target ended before it was done");
                }
                wire.finish();
                return null;
            }
            switch (type) {
                case LIST -> list();
                case READ -> read();
                case HASHES -> hashChunks();
                case EXTENTS -> extents();
                case PING -> {
                    // The target is alive.
                }
                case DONE -> {
                    TransferSummary summary = in.summary();
                    out.done(summary);
                    end();
                    return summary;
                }
                default -> throw FrameInput.unexpected(type);
            }
        }
    }

    // ---- manifest

    private void list() throws IOException {
        SourceCursor walk = cursor;
        if (walk == null) {
            throw FrameInput.unexpected(FrameType.LIST);
        }
        page.truncate(0);
        long deadline = System.nanoTime() + PAGE_NANOS;
        while (!walked) {
            Entry entry = carried == null ? walk.next(deadline) : carried;
            carried = entry;
            if (entry == null && !walk.isEnded()) {
                break;
            }
            if (entry == null) {
                walked = true;
                listing.end();
            } else if (bytesOf(entry) > page.room()) {
                break;
            } else {
                EntryCodec.write(entry, page);
                carried = null;
                if (entry.kind() == EntryKind.FILE) {
                    listing.file(entry.size());
                }
            }
        }
        out.entries(page, walked);
    }

    private static int bytesOf(Entry entry) {
        int bytes = ENTRY_FIXED_BYTES + entry.linkTarget().length;
        for (ExtendedAttribute attribute : entry.attributes()) {
            bytes += attribute.name().length + attribute.value().length + 3;
        }
        return bytes;
    }

    // ---- contents

    private void read() throws IOException {
        request.read(in.payload(), ProtocolLimits.CHUNK_BYTES);
        TransferFailure failure = open();
        if (failure != TransferFailure.NONE) {
            out.failed(failure);
            return;
        }
        boolean large = request.length() >= LARGE_BYTES;
        if (large) {
            out.flush();
        }
        ChunkCompressor compressing = compressor;
        TransferFailure status =
                compressing != null && compressing.isWorth(request.length()) ? compress(compressing) : copy(large);
        countOnStream();
        if (status == TransferFailure.NONE && !isCurrent()) {
            status = TransferFailure.SOURCE_CHANGED;
        }
        if (gmac != null) {
            gmac.finish(checksum, 0);
        }
        out.trailer(status, gmac != null ? checksum : NOTHING);
        if (large) {
            out.flush();
        }
        progress.transferred(request.length());
        delivered = true;
    }

    /** Sends the range compressed where that makes it shorter; zeros stand for what cannot be read. */
    private TransferFailure compress(ChunkCompressor compressing) throws IOException {
        TransferFailure status = load();
        int bytes = compressing.compress(files.buffer(), request.length());
        if (bytes > 0) {
            out.compressedData(bytes, gmac != null);
            write(compressing.frame(), bytes);
            progress.saved(request.length() - bytes);
        } else {
            out.data(request.length(), gmac != null);
            write(files.buffer(), request.length());
        }
        return status;
    }

    /** Reads the range into the buffer. */
    private TransferFailure load() {
        int length = request.length();
        long read = files.read(openFd, request.offset(), length);
        TransferFailure status = TransferFailure.NONE;
        if (read < length) {
            status = read < 0 ? TransferException.failureOfFile((int) read) : TransferFailure.SOURCE_CHANGED;
            long from = Math.max(read, 0);
            RawMemory.zero(files.buffer() + from, length - from);
        }
        if (gmac != null) {
            gmac.update(files.buffer(), length);
        }
        return status;
    }

    /** Copies contents to the wire. */
    private void write(long from, int length) throws IOException {
        long at = from;
        for (int left = length; left > 0; ) {
            int room = wire.gather(Math.min(left, limit.slice()));
            limit.acquire(room);
            for (int i = 0; i < wire.areaCount(); i++) {
                long area = IoVec.length(wire.areas(), i);
                RawMemory.copy(at, IoVec.base(wire.areas(), i), area);
                at += area;
            }
            wire.filled(room);
            left -= room;
            if (limit.isSlow()) {
                wire.flush();
            }
        }
    }

    /**
     * Reads the range into the wire's memory; zeros stand for what cannot be read, and the status says so.
     *
     * @param large true to begin in a record of its own
     */
    private TransferFailure copy(boolean large) throws IOException {
        out.data(request.length(), gmac != null);
        if (large) {
            wire.separate();
        }
        TransferFailure status = TransferFailure.NONE;
        int left = request.length();
        while (left > 0) {
            int room = wire.gather(Math.min(left, limit.slice()));
            limit.acquire(room);
            long read = status == TransferFailure.NONE
                    ? files.readVector(
                            openFd, wire.areas(), wire.areaCount(), request.offset() + request.length() - left)
                    : 0;
            if (read <= 0) {
                status = read == 0 ? TransferFailure.SOURCE_CHANGED : TransferException.failureOfFile((int) read);
                zeroAreas();
                read = room;
            }
            if (gmac != null) {
                checkAreas(gmac, read);
            }
            wire.filled((int) read);
            left -= (int) read;
            if (limit.isSlow()) {
                wire.flush();
            }
        }
        return status;
    }

    private void countOnStream() {
        if (stream != null) {
            stream.sent(openPath, request.size(), request.length());
        }
    }

    private void zeroAreas() {
        for (int i = 0; i < wire.areaCount(); i++) {
            RawMemory.zero(IoVec.base(wire.areas(), i), IoVec.length(wire.areas(), i));
        }
    }

    private void checkAreas(Gmac sum, long bytes) {
        long left = bytes;
        for (int i = 0; left > 0; i++) {
            long now = Math.min(left, IoVec.length(wire.areas(), i));
            sum.update(IoVec.base(wire.areas(), i), now);
            left -= now;
        }
    }

    private void hashChunks() throws IOException {
        request.read(in.payload(), ProtocolLimits.HASHES_MAX * ProtocolLimits.CHUNK_BYTES);
        TransferFailure failure = open();
        if (failure != TransferFailure.NONE) {
            out.failed(failure);
            return;
        }
        int count = 0;
        TransferFailure status = TransferFailure.NONE;
        for (int done = 0; done < request.length(); done += ProtocolLimits.CHUNK_BYTES) {
            int now = Math.min(ProtocolLimits.CHUNK_BYTES, request.length() - done);
            if (files.read(openFd, request.offset() + done, now) != now) {
                status = TransferFailure.SOURCE_CHANGED;
            }
            sha.update(files.buffer(), now);
            sha.finish(hashes, count * ProtocolLimits.HASH_BYTES);
            count++;
        }
        out.hashed(hashes, count * ProtocolLimits.HASH_BYTES, isCurrent() ? status : TransferFailure.SOURCE_CHANGED);
    }

    private void extents() throws IOException {
        request.read(in.payload(), 0);
        TransferFailure failure = open();
        if (failure != TransferFailure.NONE) {
            out.failed(failure);
            return;
        }
        FieldWriter list = out.extents();
        long at = request.offset();
        boolean last = false;
        for (int i = 0; i < ProtocolLimits.EXTENTS_MAX && !last; i++) {
            long from = at < request.size() ? files.seekData(openFd, at) : -Errno.ENXIO;
            if (from == -Errno.EINVAL || from == -Errno.EOPNOTSUPP) {
                from = at;
            }
            if (from < 0 || from >= request.size()) {
                last = true;
            } else {
                long to = files.seekHole(openFd, from);
                at = to <= from ? request.size() : Math.min(to, request.size());
                list.putLong(from).putLong(at);
            }
        }
        out.extentList(last);
    }

    /** Opens the file of the request, or keeps it open; checks its version. */
    private TransferFailure open() {
        if (!Arrays.equals(openPath, request.path())) {
            FileAccess.close(openFd);
            openPath = request.path();
            if (compressor != null) {
                compressor.nextFile();
            }
            byte[] path = Names.join(prefix, openPath);
            openFd = path.length > Names.PATH_MAX ? -Errno.ENAMETOOLONG : tree.openFile(files, path);
        }
        if (openFd < 0) {
            openPath = NOTHING;
            return TransferException.failureOfFile(openFd);
        }
        if (!isCurrent()) {
            FileAccess.close(openFd);
            openFd = -1;
            openPath = NOTHING;
            return TransferFailure.SOURCE_CHANGED;
        }
        return TransferFailure.NONE;
    }

    private boolean isCurrent() {
        return files.stat(openFd) == 0 && files.isVersion(request.size(), request.mtimeSeconds(), request.mtimeNanos());
    }

    // ---- end

    /** Ends a stream whose summary has arrived: a connection that is lost now takes nothing away. */
    private void end() throws IOException {
        try {
            wire.finish();
            drain();
        } catch (IOException e) {
            TransferException failure = StreamFailures.of(e);
            if (failure.failure() != TransferFailure.PEER_VANISHED) {
                throw failure;
            }
        }
    }

    /**
     * Returns the peer's reason for a connection that it has ended: a send that fails may precede the ERROR, which is
     * here already. Nothing else is waited for, since the wire is aborted.
     */
    private TransferException reasonOf(TransferException loss) {
        wire.abort();
        try {
            for (int i = 0; i < FRAMES_UNREAD_MAX && in.nextOrEnd() != null; i++) {
                // A request that nobody answers any more.
            }
        } catch (IOException | RuntimeException e) {
            TransferException reason = StreamFailures.of(e);
            if (!StreamFailures.isLoss(reason)) {
                return reason;
            }
        }
        return loss;
    }

    /** Reports a failure to the peer, as far as it listens. */
    private void reject(TransferException failure) {
        try {
            out.fail(failure.failure(), failure.getMessage());
            drain();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            wire.abort();
        }
    }

    /** Reads until the peer's end, so that the kernel does not discard what it has not read yet. */
    private void drain() throws IOException {
        int drained = 0;
        for (int now = wire.scatter(DRAIN_BYTES_MAX); now > 0 && drained < DRAIN_BYTES_MAX; ) {
            wire.taken(now);
            drained += now;
            now = wire.scatter(DRAIN_BYTES_MAX);
        }
    }

    @Override
    public void close() {
        FileAccess.close(openFd);
        openFd = -1;
        parts.close();
    }
}
