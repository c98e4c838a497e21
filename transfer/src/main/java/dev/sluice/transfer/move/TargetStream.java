package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.openssl.digest.Gmac;
import dev.sluice.ffi.openssl.digest.Sha256;
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
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FileAccess;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.PartialFile;
import dev.sluice.transfer.tree.TargetDirectory;
import dev.sluice.transfer.tree.TargetFiles;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One stream of a target: keeps requests in flight up to the window, and takes the answers in their order. Confined to
 * one thread.
 */
final class TargetStream implements AutoCloseable {
    private static final int LISTS_MAX = 4;
    private static final byte[] SAME_PATH = {};

    private final ReceiverSession session;
    private final Wire wire;
    private final Hello hello;
    private final FrameInput in;
    private final StreamOutput out;
    private final StreamParts parts = new StreamParts();
    private final TargetFiles files;
    private final Sha256 sha;
    private final byte[] hash = new byte[ProtocolLimits.HASH_BYTES];
    private final Pending pending = new Pending();
    private final StreamProgress progress;
    /** Parts with something left to ask for; one whose chunks have been compared returns. */
    private final ArrayDeque<FilePart> active = new ArrayDeque<>();

    private final @Nullable Gmac gmac;
    private final byte[] checksum = new byte[ProtocolLimits.CHECKSUM_BYTES];
    /** Null unless the source was asked for compressed contents. */
    private @Nullable ChunkDecompressor decompressor;

    private int lists;
    private boolean delivered;
    private @Nullable FileTransfer lastAsked;

    TargetStream(ReceiverSession session, Wire wire, Hello hello) {
        this.session = session;
        this.wire = wire;
        this.hello = hello;
        this.in = new FrameInput(wire);
        this.out = new StreamOutput(wire);
        try {
            this.progress = parts.add(session.progress().stream(hello.stream()), StreamProgress::close);
            this.files = parts.add(new TargetFiles(session.tree()), TargetFiles::close);
            this.sha = parts.add(new Sha256(), Sha256::close);
            boolean checking = session.options().verification() == ReceiverOptions.Verification.CHECKSUMS;
            this.gmac = checking ? parts.add(new Gmac(hello.session()), Gmac::close) : null;
        } catch (Throwable t) {
            parts.close();
            throw t;
        }
    }

    FileAccess access() {
        return files.access();
    }

    /** Returns whether the stream has brought contents, hashes or entries that the target did not have. */
    boolean hasDelivered() {
        return delivered;
    }

    /**
     * Runs the stream until nothing is left to ask for; reports a failure to the peer and to the session.
     *
     * @param theirs the hello of a peer that connected; null where this side did, and reads it here
     * @return the loss of the connection, whose work others may take over; null when the stream ended otherwise
     */
    @Nullable
    TransferException run(@Nullable Hello theirs) {
        try {
            if (!session.enter(hello.stream(), out)) {
                decline(theirs);
                return null;
            }
        } catch (TransferException late) {
            out.error(hello, late);
            return null;
        }
        TransferException loss = null;
        try {
            converse(theirs);
        } catch (IOException | RuntimeException | Error e) {
            // Whatever is thrown, the session learns that the stream has ended: it waits for that.
            TransferException failure = StreamFailures.of(e);
            if (StreamFailures.isLoss(failure) && session.failure() == null) {
                loss = failure;
            } else {
                fail(failure);
            }
        }
        out.end();
        if (loss == null) {
            session.finished(hello.stream());
        } else {
            out.abort();
            session.lost(hello.stream(), takeBack(), delivered);
        }
        return loss;
    }

    private void converse(@Nullable Hello theirs) throws IOException {
        if (hello.stream() == 0) {
            session.manifest().begin();
        }
        open(theirs);
        while (fill()) {
            out.flush();
            answer();
        }
        try {
            finish();
        } catch (IOException e) {
            // Everything is complete and verified: a connection that is lost now takes nothing away.
            if (!StreamFailures.isLoss(StreamFailures.of(e))) {
                throw e;
            }
        }
    }

    /** Ends a stream that comes when everything is done, as one without work ends: it is no failure of the source. */
    private void decline(@Nullable Hello theirs) {
        try {
            open(theirs);
            out.finish();
            FrameType _ = in.nextOrEnd();
        } catch (IOException | RuntimeException e) {
            // Nothing is missed. The first stream of a source that has not seen the end comes again.
            out.end();
        }
    }

    private void fail(TransferException failure) {
        if (session.failure() == null) {
            out.error(failure);
        }
        session.fail(failure);
    }

    /** Returns the parts that the stream has begun, with what it asked for and did not get to be asked for again. */
    private Collection<FilePart> takeBack() {
        Set<FilePart> begun = new LinkedHashSet<>(active);
        for (; !pending.isEmpty(); pending.remove()) {
            if (pending.type() != FrameType.LIST) {
                FilePart part = pending.part();
                part.takeBack(pending.type(), pending.offset(), pending.length());
                begun.add(part);
            }
        }
        begun.forEach(part -> part.listed(false));
        return begun;
    }

    private void open(@Nullable Hello theirs) throws IOException {
        out.hello(hello);
        Hello source = theirs;
        if (source == null) {
            out.flush();
            source = in.hello(TransferRole.TARGET);
        }
        ReceiverOptions options = session.options();
        boolean compression = options.compression() == ReceiverOptions.Compression.ZSTD && source.knowsCompression();
        decompressor = compression ? parts.add(new ChunkDecompressor(), ChunkDecompressor::close) : null;
        out.start(new Start(
                gmac != null,
                options.wantsAttributes(),
                compression,
                options.streams(),
                options.path(),
                options.filters()));
    }

    // ---- requests

    /** Sends requests until the window is full or there are none; returns false when the stream has finished. */
    private boolean fill() throws IOException {
        while (true) {
            if (pending.isRefillDue(session.options().windowBytes())) {
                while (hasWindow() && askNext()) {
                    // Until the window is full.
                }
            }
            if (!pending.isEmpty()) {
                return true;
            }
            out.flush();
            if (!session.await(out)) {
                return false;
            }
        }
    }

    private boolean hasWindow() {
        long room = session.options().windowBytes() - pending.contentBytes();
        int most = ProtocolLimits.REQUEST_BYTES_MAX - pending.requestBytes();
        return room >= ProtocolLimits.CHUNK_BYTES
                && most >= ProtocolLimits.HEADER_BYTES + FileRequest.FIXED_BYTES + Names.PATH_MAX
                && !pending.isFull();
    }

    private boolean askNext() throws IOException {
        if (hello.stream() == 0 && lists < LISTS_MAX && session.hasRoom()) {
            out.list();
            pending.add(FrameType.LIST, null, 0, 0, ProtocolLimits.HEADER_BYTES);
            lists++;
            return true;
        }
        for (Iterator<FilePart> listed = active.iterator(); listed.hasNext(); ) {
            FilePart part = listed.next();
            if (part.ask(this)) {
                return true;
            }
            if (part.isExhausted()) {
                listed.remove();
                part.listed(false);
                if (part.isOver()) {
                    over(part);
                }
            }
        }
        FilePart part = session.poll();
        if (part == null) {
            return false;
        }
        begin(part);
        return true;
    }

    private void begin(FilePart part) throws TransferException {
        try {
            if (part.file().failure() == null) {
                part.begin(files);
            }
        } catch (TransferException e) {
            failFile(part.file(), e);
        }
        if (part.isOver()) {
            over(part);
        } else {
            part.listed(true);
            active.add(part);
        }
    }

    /** Sends a request about a file. */
    void request(FrameType type, FilePart part, long offset, int length) throws IOException {
        FileTransfer file = part.file();
        byte[] path = file.equals(lastAsked) ? SAME_PATH : file.path();
        lastAsked = file;
        pending.add(type, part, offset, length, FrameOutput.requestBytes(path));
        out.request(type, path, file.entry(), offset, length);
    }

    // ---- answers

    private void answer() throws IOException {
        FrameType type = in.next();
        if (type == FrameType.PING) {
            return;
        }
        FrameType asked = pending.type();
        if (asked == FrameType.LIST) {
            page(type);
            return;
        }
        // The request stays pending until its answer is here: a stream that is lost asks for it again.
        FilePart part = pending.part();
        try {
            dispatch(type, asked, part, pending.offset(), pending.length());
        } catch (TransferException e) {
            if (e.failure().scope() == TransferFailure.Scope.SESSION) {
                throw e;
            }
            failFile(part.file(), e);
        }
        pending.remove();
        part.answered();
        delivered = true;
        if (part.isOver()) {
            if (part.isListed()) {
                active.remove(part);
            }
            over(part);
        } else if (!part.isExhausted() && !part.isListed()) {
            part.listed(true);
            active.add(part);
        }
    }

    private void page(FrameType type) throws IOException {
        if (type != FrameType.ENTRIES) {
            throw FrameInput.unexpected(type);
        }
        lists--;
        pending.remove();
        if (!session.isManifestEnded()) {
            delivered |= session.manifest().page(in.payload(), in.isLast(), files);
        } else if (in.length() > 0) {
            throw new TransferException(TransferFailure.PROTOCOL_VIOLATION, "entries after the last page");
        }
    }

    private void dispatch(FrameType type, FrameType asked, FilePart part, long offset, int length) throws IOException {
        if (type == FrameType.FAILED) {
            TransferFailure failure = TransferFailure.of(in.payload().getByte());
            if (failure.scope() == TransferFailure.Scope.SESSION || failure == TransferFailure.NONE) {
                throw new TransferException(TransferFailure.PROTOCOL_VIOLATION, "FAILED with code of " + failure);
            }
            throw new TransferException(failure, "the source cannot send the file");
        }
        if (asked == FrameType.READ && type == FrameType.DATA) {
            data(part, offset, length);
        } else if (asked == FrameType.HASHES && type == FrameType.HASHED) {
            hashed(part, offset, length);
        } else if (asked == FrameType.EXTENTS && type == FrameType.EXTENT_LIST) {
            if (part.file().failure() == null) {
                part.extents(in.payload(), in.isLast(), files);
            }
        } else {
            throw FrameInput.unexpected(type);
        }
    }

    /** Takes DATA: contents go from the wire's memory into the file; of a file that failed they are dropped. */
    private void data(FilePart part, long offset, int length) throws IOException {
        int trailer = FrameOutput.trailerBytes(gmac != null);
        int bytes = in.length() - trailer;
        FileTransfer file = part.file();
        ChunkDecompressor decompressing = in.isCompressed() ? decompressor : null;
        if (decompressing != null && bytes > 0 && bytes < length) {
            decompressing.take(wire, bytes, session.options().limit());
            decompress(decompressing, file, offset, length);
        } else if (!in.isCompressed() && bytes == length) {
            take(file, offset, length);
        } else {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION,
                    "DATA rejected: asked=" + length + ", got=" + bytes + ", compressed=" + in.isCompressed());
        }
        FieldReader end = in.trailer(trailer);
        TransferFailure status = TransferFailure.of(end.getByte());
        if (gmac != null) {
            gmac.finish(checksum, 0);
        }
        if (file.failure() != null) {
            return;
        }
        if (status != TransferFailure.NONE) {
            throw new TransferException(
                    status.scope() == TransferFailure.Scope.FILE ? status : TransferFailure.PROTOCOL_VIOLATION,
                    "the source could not read all of the range");
        }
        if (gmac != null && !Arrays.equals(checksum, end.get(ProtocolLimits.CHECKSUM_BYTES))) {
            throw new TransferException(TransferFailure.CHECKSUM_MISMATCH, "offset=" + offset + ", length=" + length);
        }
        session.progress().transferred(length);
        session.progress().saved(length - bytes);
        file.transferred(length);
        progress.transferred(file, length);
    }

    private void take(FileTransfer file, long offset, int length) throws IOException {
        int left = length;
        while (left > 0) {
            int here = wire.scatter(left);
            if (here == 0) {
                throw new TransferException(TransferFailure.PEER_VANISHED, "the stream ended inside DATA");
            }
            session.options().limit().acquire(here);
            int done = file.failure() == null ? store(file, offset + length - left, here) : here;
            wire.taken(done);
            left -= done;
        }
    }

    /** Writes what a frame holds; the file is opened first, since that uses the same buffer. */
    private void decompress(ChunkDecompressor decompressing, FileTransfer file, long offset, int length)
            throws TransferException {
        if (file.failure() != null) {
            return;
        }
        try {
            PartialFile open = file.open(files);
            decompressing.decompress(access().buffer(), length);
            int result = access().write(open.fd(), access().buffer(), length, offset);
            if (result < 0) {
                throw TransferException.of("pwritev", file.path(), result);
            }
            if (gmac != null) {
                gmac.update(access().buffer(), length);
            }
        } catch (TransferException e) {
            failFile(file, e);
        }
    }

    /** Writes received pieces; returns the bytes written, or all of them when the file fails. */
    private int store(FileTransfer file, long offset, int here) throws TransferException {
        try {
            PartialFile open = file.open(files);
            long written = access().writeVector(open.fd(), wire.pieces(), wire.pieceCount(), offset);
            if (written <= 0) {
                throw TransferException.of("pwritev", file.path(), written == 0 ? Errno.EIO : (int) written);
            }
            if (gmac != null) {
                checkPieces(gmac, written);
            }
            return (int) written;
        } catch (TransferException e) {
            if (e.failure().scope() == TransferFailure.Scope.SESSION) {
                throw e;
            }
            failFile(file, e);
            return here;
        }
    }

    private void checkPieces(Gmac sum, long bytes) {
        long left = bytes;
        for (int i = 0; left > 0; i++) {
            long now = Math.min(left, IoVec.length(wire.pieces(), i));
            sum.update(IoVec.base(wire.pieces(), i), now);
            left -= now;
        }
    }

    private void hashed(FilePart part, long offset, int length) throws TransferException {
        int count = (length - 1) / ProtocolLimits.CHUNK_BYTES + 1;
        if (in.length() != 1 + count * ProtocolLimits.HASH_BYTES) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "HASHED of another length: got=" + in.length());
        }
        if (part.file().failure() != null) {
            return;
        }
        TransferFailure status = TransferFailure.of(in.payload().getByte());
        if (status != TransferFailure.NONE) {
            throw new TransferException(TransferFailure.SOURCE_CHANGED, "hashes are not of the manifest's version");
        }
        long kept = part.hashes(in.payload(), offset, length, this);
        part.file().reused(kept);
        session.progress().reused(kept);
    }

    /** Returns whether a chunk of a file has a hash; leaves its contents in the buffer. */
    boolean hashesTo(int fd, long offset, int length, byte[] wanted) {
        if (access().read(fd, offset, length) != length) {
            return false;
        }
        sha.update(access().buffer(), length);
        sha.finish(hash, 0);
        return Arrays.equals(hash, wanted);
    }

    // ---- files

    private static void failFile(FileTransfer file, TransferException cause) throws TransferException {
        if (cause.failure().scope() == TransferFailure.Scope.SESSION) {
            throw cause;
        }
        file.fail(cause);
    }

    private void over(FilePart part) throws TransferException {
        FileTransfer file = part.file();
        if (!file.partDone()) {
            return;
        }
        session.progress().skipped(file.unmovedBytes());
        TargetDirectory directory = file.directory();
        if (file.failure() == null) {
            try {
                files.complete(file.takeComplete(files));
                session.settled(
                        new TransferEvent.Completed(file.path(), file.entry().size(), file.reusedBytes()));
            } catch (TransferException e) {
                failFile(file, e);
            }
        }
        TransferException failure = file.failure();
        if (failure != null) {
            ReceiverSession.abandon(file, files);
            session.failed(file.path(), failure);
        }
        session.completed(directory, files);
        session.finished(file);
    }

    // ---- end

    private void finish() throws IOException {
        if (hello.stream() == 0) {
            long bytes = session.progress().bytesOnWire();
            out.done(new TransferSummary(session.filesComplete(), session.entriesFailed(), bytes));
            in.expect(FrameType.DONE);
        }
        out.finish();
        if (in.nextOrEnd() != null) {
            throw new TransferException(TransferFailure.PROTOCOL_VIOLATION, "a frame after the end");
        }
    }

    @Override
    public void close() {
        parts.close();
        wire.close();
    }
}
