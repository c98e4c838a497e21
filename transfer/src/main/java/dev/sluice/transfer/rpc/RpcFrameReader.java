package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.IncomingBatch;
import dev.sluice.transfer.tree.Names;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The frames that one side receives: the header of the current one, and its payload. Confined to one thread. */
final class RpcFrameReader {
    private static final int KIND_SHIFT = 24;
    private static final int RESERVED_SHIFT = 16;
    private static final int BYTE_MASK = 0xFF;
    private static final int METHOD_MASK = 0xFFFF;

    private final RpcInput input;
    private int length;
    private int id;
    private int method;
    private int detail;
    private @Nullable FrameKind kind;

    RpcFrameReader(IncomingBatch batch, RpcInput.BeforeWait beforeWait) {
        this.input = new RpcInput(batch, beforeWait);
    }

    /**
     * Reads the next header.
     *
     * @return false at the end of the stream
     * @throws RpcException when it is not one
     */
    boolean next() throws ChannelException, RpcException {
        if (!input.awaitFrame()) {
            return false;
        }
        input.begin(RpcFrameWriter.HEADER_BYTES);
        length = input.getInt();
        id = input.getInt();
        int packed = input.getInt();
        detail = input.getInt();
        kind = FrameKind.of(packed >> KIND_SHIFT);
        method = packed & METHOD_MASK;
        int reserved = (packed >> RESERVED_SHIFT) & BYTE_MASK;
        if (length < 0 || kind == null || reserved != 0 || detail < 0) {
            throw protocol("length=" + length + ", kind=" + kind + ", detail=" + detail);
        }
        input.begin(length);
        return true;
    }

    /** Returns the exception for a frame that must not be. */
    static RpcException protocol(String detail) {
        return new RpcException(
                RpcFailure.PROTOCOL, "the peer broke the protocol of calls (" + detail + "); update the older side");
    }

    FrameKind kind() {
        return Objects.requireNonNull(kind);
    }

    int length() {
        return length;
    }

    int id() {
        return id;
    }

    int method() {
        return method;
    }

    int detail() {
        return detail;
    }

    /** Returns the payload of the current frame. */
    RpcInput input() {
        return input;
    }

    /** Reads the text of an error: the peer's words, without control characters. */
    String text() throws ChannelException, RpcException {
        if (length > RpcFrameWriter.TEXT_BYTES_MAX) {
            throw protocol("text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        input.get(MemorySegment.ofArray(bytes), 0, length);
        return Names.printable(bytes);
    }
}
