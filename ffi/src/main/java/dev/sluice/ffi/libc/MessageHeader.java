package dev.sluice.ffi.libc;

/**
 * {@code struct msghdr} of sys/socket.h with one {@code struct iovec} and room for one control message of one byte, in
 * one piece of memory: the arguments of sendmsg(2) and recvmsg(2) for bytes with a record type.
 *
 * <pre>
 *   0      8         16    24         32        40            48      56
 *   +------+---------+-----+----------+---------+-------------+-------+
 *   | name | namelen | iov | iovlen   | control | controllen  | flags |   struct msghdr
 *   +------+---------+-----+----------+---------+-------------+-------+
 *   56     64        72
 *   +------+---------+
 *   | base | length  |                                                    struct iovec
 *   +------+---------+
 *   72     80        84     88     89    96
 *   +------+---------+------+------+-----+
 *   | len  | level   | type | data | pad |                                struct cmsghdr
 *   +------+---------+------+------+-----+
 * </pre>
 */
public final class MessageHeader {
    /** Offset of the address of the iovecs. */
    public static final int IOV_OFFSET = 16;
    /** Offset of the number of iovecs. */
    public static final int IOV_LENGTH_OFFSET = 24;
    /** Offset of the address of the control messages. */
    public static final int CONTROL_OFFSET = 32;
    /** Offset of the bytes of control messages. */
    public static final int CONTROL_LENGTH_OFFSET = 40;
    /** Offset of the flags set by recvmsg. */
    public static final int FLAGS_OFFSET = 48;
    /** Size of the struct msghdr. */
    public static final int HEADER_BYTES = 56;
    /** In an iovec: offset of the address. */
    public static final int BASE_OFFSET = 0;
    /** In an iovec: offset of the length. */
    public static final int LENGTH_OFFSET = 8;
    /** Size of an iovec. */
    public static final int IOVEC_BYTES = 16;
    /** In a control message: offset of its length. */
    public static final int CONTROL_LEN_OFFSET = 0;
    /** In a control message: offset of its level. */
    public static final int CONTROL_LEVEL_OFFSET = 8;
    /** In a control message: offset of its type. */
    public static final int CONTROL_TYPE_OFFSET = 12;
    /** In a control message: offset of its data. */
    public static final int CONTROL_DATA_OFFSET = 16;
    /** CMSG_LEN(1): a control message with one byte. */
    public static final int CONTROL_LEN_OF_BYTE = 17;
    /** CMSG_SPACE(1): the space it occupies. */
    public static final int CONTROL_SPACE_OF_BYTE = 24;
    /** Size of all three. */
    public static final int BYTES = HEADER_BYTES + IOVEC_BYTES + CONTROL_SPACE_OF_BYTE;

    /** Result of {@link #controlByte}: there is no such control message. */
    public static final int NO_CONTROL = -1;

    private MessageHeader() {}

    /** Initializes the message for sending bytes with one control message of one byte. */
    public static void setForSending(long message, long bytes, long length, int level, int type, int value) {
        set(message, bytes, length);
        long control = control(message);
        RawMemory.putLong(control + CONTROL_LEN_OFFSET, CONTROL_LEN_OF_BYTE);
        RawMemory.putInt(control + CONTROL_LEVEL_OFFSET, level);
        RawMemory.putInt(control + CONTROL_TYPE_OFFSET, type);
        RawMemory.putByte(control + CONTROL_DATA_OFFSET, (byte) value);
    }

    /** Initializes the message for receiving bytes and one control message of one byte. */
    public static void setForReceiving(long message, long bytes, long capacity) {
        set(message, bytes, capacity);
    }

    private static void set(long message, long bytes, long length) {
        RawMemory.zero(message, BYTES);
        RawMemory.putLong(message + IOV_OFFSET, message + HEADER_BYTES);
        RawMemory.putLong(message + IOV_LENGTH_OFFSET, 1);
        RawMemory.putLong(message + CONTROL_OFFSET, control(message));
        RawMemory.putLong(message + CONTROL_LENGTH_OFFSET, CONTROL_SPACE_OF_BYTE);
        RawMemory.putLong(message + HEADER_BYTES + BASE_OFFSET, bytes);
        RawMemory.putLong(message + HEADER_BYTES + LENGTH_OFFSET, length);
    }

    /** Returns the byte of a control message received by recvmsg, 0 to 255, or {@link #NO_CONTROL}. */
    public static int controlByte(long message, int level, int type) {
        long control = control(message);
        boolean there = RawMemory.getLong(message + CONTROL_LENGTH_OFFSET) >= CONTROL_LEN_OF_BYTE
                && RawMemory.getLong(control + CONTROL_LEN_OFFSET) == CONTROL_LEN_OF_BYTE
                && RawMemory.getInt(control + CONTROL_LEVEL_OFFSET) == level
                && RawMemory.getInt(control + CONTROL_TYPE_OFFSET) == type;
        return there ? RawMemory.getByte(control + CONTROL_DATA_OFFSET) & 0xFF : NO_CONTROL;
    }

    private static long control(long message) {
        return message + HEADER_BYTES + IOVEC_BYTES;
    }
}
