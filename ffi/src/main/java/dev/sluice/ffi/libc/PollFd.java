package dev.sluice.ffi.libc;

/**
 * {@code struct pollfd} of poll.h.
 *
 * <pre>
 *   0            4              6               8
 *   +------------+--------------+---------------+
 *   |  fd (32)   | events (16)  | revents (16)  |
 *   +------------+--------------+---------------+
 * </pre>
 */
public final class PollFd {
    /** Offset of the descriptor. */
    public static final int FD_OFFSET = 0;
    /** Offset of the awaited events. */
    public static final int EVENTS_OFFSET = 4;
    /** Size of the struct. */
    public static final int BYTES = 8;

    private PollFd() {}

    /** Writes all fields. */
    public static void write(long address, int fd, int events) {
        RawMemory.putInt(address + FD_OFFSET, fd);
        RawMemory.putInt(address + EVENTS_OFFSET, events);
    }
}
