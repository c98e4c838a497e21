package dev.sluice.ffi.libc;

import dev.sluice.ffi.RawMemory;

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
    /** Offset of the limit up to which the first may be raised. */
    public static final int HARD_OFFSET = 8;
    /** Size of the struct. */
    public static final int BYTES = 16;

    private ResourceLimit() {}

    /** The limit in force. */
    public static long soft(long address) {
        return RawMemory.getLong(address + SOFT_OFFSET);
    }

    /** The limit up to which {@link #soft} may be raised. */
    public static long hard(long address) {
        return RawMemory.getLong(address + HARD_OFFSET);
    }

    /** Fills the struct in. */
    public static void set(long address, long soft, long hard) {
        RawMemory.putLong(address + SOFT_OFFSET, soft);
        RawMemory.putLong(address + HARD_OFFSET, hard);
    }
}
