package dev.sluice.transfer.protocol;

import org.jspecify.annotations.Nullable;

/** The types of frames. The {@link #code()} goes over the wire. */
public enum FrameType {
    /** Version, role and stream; the first frame of each side. */
    HELLO(1),
    /** The target's wishes; its second frame. */
    START(2),
    /** The target asks for a page of the manifest. */
    LIST(3),
    /** A page of the manifest. */
    ENTRIES(4),
    /** The target asks for a range of a file. */
    READ(5),
    /** The range. */
    DATA(6),
    /** The target asks for the hashes of chunks. */
    HASHES(7),
    /** The hashes. */
    HASHED(8),
    /** The target asks for the extents of a sparse file that hold data. */
    EXTENTS(9),
    /** The extents. */
    EXTENT_LIST(10),
    /** The answer to a request about a file that cannot be read. */
    FAILED(11),
    /** The target has finished; the source returns the frame. */
    DONE(12),
    /** The sender ends the session. */
    ERROR(13),
    /** The sender is alive, and has nothing else to send. */
    PING(14);

    private static final FrameType[] BY_CODE = new FrameType[16];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    static @Nullable FrameType of(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
