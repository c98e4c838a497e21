package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.RawMemory;

/**
 * {@code struct io_uring_sqe} of linux/io_uring.h: one submission.
 *
 * <pre>
 *   0        1       2        4      8              16             24       28           32          40          42
 *   +--------+-------+--------+------+--------------+--------------+--------+------------+-----------+-----------+-----
 *   | opcode | flags | ioprio |  fd  | off or addr2 |     addr     |  len   |  op flags  | user_data | buf_group | ...
 *   +--------+-------+--------+------+--------------+--------------+--------+------------+-----------+-----------+-----
 *                                                                               up to 64, zero where unused
 * </pre>
 *
 * Each method encodes one kind of operation in a zeroed entry.
 */
public final class Sqe {
    static final int OPCODE_OFFSET = 0;
    static final int FLAGS_OFFSET = 1;
    static final int IOPRIO_OFFSET = 2;
    static final int FD_OFFSET = 4;
    static final int OFF_OFFSET = 8;
    static final int ADDR_OFFSET = 16;
    static final int LEN_OFFSET = 24;
    static final int OP_FLAGS_OFFSET = 28;
    static final int USER_DATA_OFFSET = 32;
    static final int BUF_GROUP_OFFSET = 40;
    static final int BYTES = 64;

    private Sqe() {}

    /**
     * Clears an entry word by word, which allocates nothing even where the JIT compiler does not eliminate a memory
     * slice.
     */
    static void clear(long sqe) {
        for (int offset = 0; offset < BYTES; offset += Long.BYTES) {
            RawMemory.putLong(sqe + offset, 0);
        }
    }

    /** Receives into the caller's memory. */
    public static void receive(long sqe, long token, int fd, long address, int length, int messageFlags) {
        begin(sqe, UringConstants.IORING_OP_RECV, token, fd);
        RawMemory.putLong(sqe + ADDR_OFFSET, address);
        RawMemory.putInt(sqe + LEN_OFFSET, length);
        RawMemory.putInt(sqe + OP_FLAGS_OFFSET, messageFlags);
    }

    /** Receives into a provided buffer that the kernel chooses. */
    public static void receiveIntoGroup(long sqe, long token, int fd, int length, int bufferGroup) {
        begin(sqe, UringConstants.IORING_OP_RECV, token, fd);
        RawMemory.putByte(sqe + FLAGS_OFFSET, (byte) UringConstants.IOSQE_BUFFER_SELECT);
        RawMemory.putInt(sqe + LEN_OFFSET, length);
        RawMemory.putShort(sqe + BUF_GROUP_OFFSET, (short) bufferGroup);
    }

    /**
     * Receives repeatedly (multishot), each time into a provided buffer that the kernel chooses, until a receive fails.
     */
    public static void receiveManyIntoGroup(long sqe, long token, int fd, int bufferGroup) {
        receiveIntoGroup(sqe, token, fd, 0, bufferGroup);
        RawMemory.putShort(sqe + IOPRIO_OFFSET, (short) UringConstants.IORING_RECV_MULTISHOT);
    }

    /** Sends from the caller's memory. */
    public static void send(long sqe, long token, int fd, long address, int length, int messageFlags) {
        begin(sqe, UringConstants.IORING_OP_SEND, token, fd);
        RawMemory.putLong(sqe + ADDR_OFFSET, address);
        RawMemory.putInt(sqe + LEN_OFFSET, length);
        RawMemory.putInt(sqe + OP_FLAGS_OFFSET, messageFlags);
    }

    /** Accepts repeatedly (multishot) until an accept fails. */
    public static void acceptMany(long sqe, long token, int fd, int socketFlags) {
        begin(sqe, UringConstants.IORING_OP_ACCEPT, token, fd);
        RawMemory.putShort(sqe + IOPRIO_OFFSET, (short) UringConstants.IORING_ACCEPT_MULTISHOT);
        RawMemory.putInt(sqe + OP_FLAGS_OFFSET, socketFlags);
    }

    /** Connects; the address is read when the entry is submitted. */
    public static void connect(long sqe, long token, int fd, long address, int addressLength) {
        begin(sqe, UringConstants.IORING_OP_CONNECT, token, fd);
        RawMemory.putLong(sqe + ADDR_OFFSET, address);
        RawMemory.putLong(sqe + OFF_OFFSET, addressLength);
    }

    /** Closes a descriptor, which is in use until the entry is submitted. There is a completion only of a failure. */
    public static void close(long sqe, long token, int fd) {
        begin(sqe, UringConstants.IORING_OP_CLOSE, token, fd);
        RawMemory.putByte(sqe + FLAGS_OFFSET, (byte) UringConstants.IOSQE_CQE_SKIP_SUCCESS);
    }

    /** Reads from a descriptor without a position. */
    public static void read(long sqe, long token, int fd, long address, int length) {
        begin(sqe, UringConstants.IORING_OP_READ, token, fd);
        RawMemory.putLong(sqe + ADDR_OFFSET, address);
        RawMemory.putInt(sqe + LEN_OFFSET, length);
    }

    /**
     * Waits for one of the events, POLLERR or POLLHUP; the result is the set of ready events.
     *
     * @param events of poll(2), which have the values of epoll's
     */
    public static void poll(long sqe, long token, int fd, int events) {
        begin(sqe, UringConstants.IORING_OP_POLL_ADD, token, fd);
        RawMemory.putInt(sqe + OP_FLAGS_OFFSET, events);
    }

    /** Cancels the operation with a token. */
    public static void cancel(long sqe, long token, long tokenToCancel) {
        begin(sqe, UringConstants.IORING_OP_ASYNC_CANCEL, token, -1);
        RawMemory.putLong(sqe + ADDR_OFFSET, tokenToCancel);
    }

    private static void begin(long sqe, int opcode, long token, int fd) {
        RawMemory.putByte(sqe + OPCODE_OFFSET, (byte) opcode);
        RawMemory.putInt(sqe + FD_OFFSET, fd);
        RawMemory.putLong(sqe + USER_DATA_OFFSET, token);
    }
}
