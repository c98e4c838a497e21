package dev.sluice.transfer.protocol;

import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A reader of frames from a wire. {@link #next} reads a frame's header, and the payload of all but DATA, whose contents
 * the caller takes from the wire in place.
 */
public final class FrameInput {
    private final Wire wire;
    private final byte[] bytes = new byte[ProtocolLimits.PAYLOAD_BYTES_MAX];
    private final FieldReader payload = new FieldReader(bytes);
    private int flags;
    private int length;

    /** Creates an input for the thread that receives. */
    public FrameInput(Wire wire) {
        this.wire = wire;
    }

    /**
     * Reads the next frame; blocks until there is one.
     *
     * @throws TransferException for a frame that breaks the protocol, for ERROR, and at the end of the stream
     */
    public FrameType next() throws IOException {
        FrameType type = nextOrEnd();
        if (type == null) {
            throw new TransferException(TransferFailure.PEER_VANISHED, "the peer ended its stream too early");
        }
        return type;
    }

    /** Reads the next frame; null at the end of the stream. */
    public @Nullable FrameType nextOrEnd() throws IOException {
        int first = wire.scatter(1);
        if (first == 0) {
            return null;
        }
        fill(ProtocolLimits.HEADER_BYTES);
        int code = payload.getByte();
        FrameType type = FrameType.of(code);
        flags = payload.getByte();
        int reserved = payload.getShort();
        length = payload.getInt();
        int most = type == FrameType.DATA
                ? ProtocolLimits.CHUNK_BYTES + ProtocolLimits.TRAILER_BYTES + ProtocolLimits.CHECKSUM_BYTES
                : ProtocolLimits.PAYLOAD_BYTES_MAX;
        if (type == null || reserved != 0 || length < 0 || length > most) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "frame rejected: type=" + code + ", length=" + length);
        }
        if (type != FrameType.DATA) {
            fill(length);
        }
        if (type == FrameType.PING) {
            payload.end();
        }
        if (type == FrameType.ERROR) {
            throw peerError();
        }
        return type;
    }

    /** Reads the next frame other than PING, which must be of a type. */
    public FieldReader expect(FrameType wanted) throws IOException {
        FrameType type = next();
        while (type == FrameType.PING) {
            type = next();
        }
        if (type != wanted) {
            throw unexpected(type);
        }
        return payload;
    }

    /** Returns the payload of the last frame, not of DATA. */
    public FieldReader payload() {
        return payload;
    }

    /** Returns the length of the last frame's payload in bytes. */
    public int length() {
        return length;
    }

    /** Returns whether the last frame is the last of its kind. */
    public boolean isLast() {
        return (flags & FrameOutput.LAST_FLAG) != 0;
    }

    /** Returns whether the contents of the last frame, DATA, are compressed. */
    public boolean isCompressed() {
        return (flags & FrameOutput.COMPRESSED_FLAG) != 0;
    }

    /** Reads HELLO of a peer in either role. */
    public Hello hello() throws IOException {
        return Hello.read(expect(FrameType.HELLO));
    }

    /** Reads HELLO of a peer in the other role. */
    public Hello hello(TransferRole ours) throws IOException {
        return hello().requireFor(ours);
    }

    /** Reads START. */
    public Start start() throws IOException {
        return Start.read(expect(FrameType.START));
    }

    /** Reads the payload of DONE. */
    public TransferSummary summary() throws IOException {
        return TransferSummary.read(payload);
    }

    /** Reads the trailer of DATA into {@link #payload()}. */
    public FieldReader trailer(int trailerBytes) throws IOException {
        fill(trailerBytes);
        return payload;
    }

    /** Returns the exception for a frame that is not due. */
    public static TransferException unexpected(FrameType type) {
        return new TransferException(TransferFailure.PROTOCOL_VIOLATION, "frame not due: type=" + type);
    }

    private TransferException peerError() throws TransferException {
        TransferFailure failure = TransferFailure.of(payload.getByte());
        String text = Names.printable(payload.getString());
        String cause = " (" + failure.text() + ")"; // which the exception adds again
        String event = text.endsWith(cause) ? text.substring(0, text.length() - cause.length()) : text;
        return new TransferException(failure, "the peer ended the transfer: " + event);
    }

    private void fill(int count) throws IOException {
        int done = 0;
        while (done < count) {
            int now = wire.scatter(count - done);
            if (now == 0) {
                throw new TransferException(TransferFailure.PEER_VANISHED, "the stream ended inside a frame");
            }
            for (int i = 0; i < wire.pieceCount(); i++) {
                int piece = (int) IoVec.length(wire.pieces(), i);
                RawMemory.copy(IoVec.base(wire.pieces(), i), bytes, done, piece);
                done += piece;
            }
            wire.taken(now);
        }
        payload.reset(count);
    }
}
