package dev.sluice.transfer.protocol;

import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;

/**
 * The first message of each side on each stream.
 *
 * @param versionMin the oldest version spoken
 * @param versionMax the newest version spoken
 * @param role the role of its sender
 * @param stream the number of the stream in its session, from 0
 * @param session the identifier of the session, chosen by the side that connects; 16 bytes
 */
@SuppressWarnings("ArrayRecordComponent")
public record Hello(int versionMin, int versionMax, TransferRole role, int stream, byte[] session) {
    private static final int MAGIC = 0x534c5450;

    /** Creates the message of this implementation. */
    public static Hello of(TransferRole role, int stream, byte[] session) {
        return new Hello(ProtocolLimits.VERSION_MIN, ProtocolLimits.VERSION_MAX, role, stream, session);
    }

    /** Returns true for a stream that begins with this byte: the type of the frame. */
    public static boolean isFirst(byte first) {
        return first == FrameType.HELLO.code();
    }

    /** Returns whether its sender knows compressed contents. */
    public boolean knowsCompression() {
        return versionMax >= ProtocolLimits.COMPRESSION_VERSION;
    }

    void write(FieldWriter out) {
        out.putInt(MAGIC)
                .putShort(versionMin)
                .putShort(versionMax)
                .putByte(role.code())
                .putByte(stream)
                .put(session);
    }

    /** Reads the message; fails unless the peer has a version in common. */
    static Hello read(FieldReader in) throws TransferException {
        if (in.getInt() != MAGIC) {
            throw new TransferException(TransferFailure.PROTOCOL_VIOLATION, "the peer does not speak this protocol");
        }
        int min = in.getShort();
        int max = in.getShort();
        if (max < ProtocolLimits.VERSION_MIN || min > ProtocolLimits.VERSION_MAX) {
            throw new TransferException(
                    TransferFailure.VERSION_MISMATCH,
                    "peer speaks versions " + min + " to " + max + ", this side " + ProtocolLimits.VERSION_MIN + " to "
                            + ProtocolLimits.VERSION_MAX);
        }
        int code = in.getByte();
        TransferRole role = TransferRole.of(code);
        int stream = in.getByte();
        if (role == null || stream >= ProtocolLimits.STREAMS_MAX) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "hello rejected: role=" + code + ", stream=" + stream);
        }
        return new Hello(min, max, role, stream, in.get(ProtocolLimits.SESSION_BYTES));
    }

    /** Fails unless the peer has the other role. */
    Hello requireFor(TransferRole ours) throws TransferException {
        if (role != ours.other()) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION, "hello rejected: both sides are the " + role);
        }
        return this;
    }
}
