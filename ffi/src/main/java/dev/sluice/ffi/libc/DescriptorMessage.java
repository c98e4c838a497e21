package dev.sluice.ffi.libc;

/**
 * A message that passes open descriptors between processes over a Unix socket (SCM_RIGHTS, unix(7)): {@code struct
 * msghdr} with one {@code struct iovec}, and room for one control message with {@value #DESCRIPTORS_MAX} descriptors.
 *
 * <pre>
 *   0               56              72       80      84     88
 *   +---------------+---------------+--------+-------+------+-------------------------+
 *   | struct msghdr | struct iovec  | len    | level | type | descriptors, 4 B each   |
 *   +---------------+---------------+--------+-------+------+-------------------------+
 *                                    struct cmsghdr
 * </pre>
 */
public final class DescriptorMessage {
    /**
     * The most descriptors that the kernel accepts in one message: SCM_MAX_FD of include/net/scm.h, absent from the
     * user-space headers.
     */
    public static final int DESCRIPTORS_MAX = 253;

    private static final int CONTROL = MessageHeader.HEADER_BYTES + MessageHeader.IOVEC_BYTES;
    private static final int DATA = CONTROL + MessageHeader.CONTROL_DATA_OFFSET;

    /** Size of the whole message. */
    public static final int BYTES = DATA + (DESCRIPTORS_MAX + 1) * Integer.BYTES;

    private DescriptorMessage() {}

    /**
     * Initializes the message for sending. The receiver gets descriptors of its own; the sender keeps its own.
     *
     * @param message {@link #BYTES} of memory
     * @param bytes address of the payload, at least one byte
     * @param descriptors 1 to {@link #DESCRIPTORS_MAX}
     */
    public static void setForSending(long message, long bytes, long length, int[] descriptors) {
        if (descriptors.length == 0 || descriptors.length > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException("a message carries 1 to " + DESCRIPTORS_MAX + " descriptors, not "
                    + descriptors.length + "; send several messages");
        }
        set(message, bytes, length);
        int controlLength = MessageHeader.CONTROL_DATA_OFFSET + descriptors.length * Integer.BYTES;
        RawMemory.putLong(message + MessageHeader.CONTROL_LENGTH_OFFSET, controlLength);
        RawMemory.putLong(message + CONTROL + MessageHeader.CONTROL_LEN_OFFSET, controlLength);
        RawMemory.putInt(message + CONTROL + MessageHeader.CONTROL_LEVEL_OFFSET, Constants.SOL_SOCKET);
        RawMemory.putInt(message + CONTROL + MessageHeader.CONTROL_TYPE_OFFSET, Constants.SCM_RIGHTS);
        for (int i = 0; i < descriptors.length; i++) {
            RawMemory.putInt(message + DATA + (long) i * Integer.BYTES, descriptors[i]);
        }
    }

    /** Initializes the message for receiving. */
    public static void setForReceiving(long message, long bytes, long capacity) {
        set(message, bytes, capacity);
        RawMemory.putLong(message + MessageHeader.CONTROL_LENGTH_OFFSET, BYTES - CONTROL);
    }

    private static void set(long message, long bytes, long length) {
        RawMemory.zero(message, BYTES);
        RawMemory.putLong(message + MessageHeader.IOV_OFFSET, message + MessageHeader.HEADER_BYTES);
        RawMemory.putLong(message + MessageHeader.IOV_LENGTH_OFFSET, 1);
        RawMemory.putLong(message + MessageHeader.CONTROL_OFFSET, message + CONTROL);
        RawMemory.putLong(message + MessageHeader.HEADER_BYTES + MessageHeader.BASE_OFFSET, bytes);
        RawMemory.putLong(message + MessageHeader.HEADER_BYTES + MessageHeader.LENGTH_OFFSET, length);
    }

    /** Returns the descriptors received by recvmsg, which the caller owns; empty when there are none. */
    public static int[] descriptors(long message) {
        long there = RawMemory.getLong(message + MessageHeader.CONTROL_LENGTH_OFFSET);
        long length = RawMemory.getLong(message + CONTROL + MessageHeader.CONTROL_LEN_OFFSET);
        boolean isRights = there >= MessageHeader.CONTROL_DATA_OFFSET
                && RawMemory.getInt(message + CONTROL + MessageHeader.CONTROL_LEVEL_OFFSET) == Constants.SOL_SOCKET
                && RawMemory.getInt(message + CONTROL + MessageHeader.CONTROL_TYPE_OFFSET) == Constants.SCM_RIGHTS;
        if (!isRights) {
            return new int[0];
        }
        int[] descriptors = new int[(int) (length - MessageHeader.CONTROL_DATA_OFFSET) / Integer.BYTES];
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = RawMemory.getInt(message + DATA + (long) i * Integer.BYTES);
        }
        return descriptors;
    }
}
