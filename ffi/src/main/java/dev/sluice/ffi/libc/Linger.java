package dev.sluice.ffi.libc;

/**
 * {@code struct linger} of sys/socket.h, the value of {@link Constants#SO_LINGER}.
 *
 * <pre>
 *   0             4             8
 *   +-------------+-------------+
 *   | on (l_onoff)|   seconds   |
 *   +-------------+-------------+
 * </pre>
 */
public final class Linger {
    /** Offset of the on/off flag. */
    public static final int ON_OFFSET = 0;
    /** Offset of the linger time. */
    public static final int SECONDS_OFFSET = 4;
    /** Size of the struct. */
    public static final int BYTES = 8;

    private Linger() {}

    /** Initializes the struct so that close(2) discards queued bytes and sends RST. */
    public static void setReset(long address) {
        RawMemory.putInt(address + ON_OFFSET, 1);
        RawMemory.putInt(address + SECONDS_OFFSET, 0);
    }
}
