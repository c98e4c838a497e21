package dev.sluice.ffi.libc;

/**
 * {@code struct rlimit} of sys/resource.h.
 *
 * <pre>
 *   0                    8                    16
 *   +--------------------+--------------------+
 *   |  soft (rlim_cur)   |  hard (rlim_max)   |
 *   +--------------------+--------------------+
 * </pre>
 */
public final class ResourceLimit {
    /** Offset of the limit in force. */
    public static final int SOFT_OFFSET = 0;
    /** Offset of the maximum for the limit in force. */
    public static final int HARD_OFFSET = 8;
    /** Size of the struct. */
    public static final int BYTES = 16;

    private ResourceLimit() {}

    /** Returns the limit in force. */
    public static long soft(long address) {
        return RawMemory.getLong(address + SOFT_OFFSET);
    }

    /** Returns the maximum for {@link #soft}. */
    public static long hard(long address) {
        return RawMemory.getLong(address + HARD_OFFSET);
    }

    /** Initializes the struct. */
    public static void set(long address, long soft, long hard) {
        RawMemory.putLong(address + SOFT_OFFSET, soft);
        RawMemory.putLong(address + HARD_OFFSET, hard);
    }
}
