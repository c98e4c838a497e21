package dev.sluice.ffi.libc;

/**
 * {@code struct timespec} of time.h, where time_t and long have 64 bits.
 *
 * <pre>
 *   0                    8                    16
 *   +--------------------+--------------------+
 *   |  seconds (tv_sec)  |  nanos (tv_nsec)   |
 *   +--------------------+--------------------+
 * </pre>
 */
public final class Timespec {
    /** Offset of the whole seconds. */
    public static final int SECONDS_OFFSET = 0;
    /** Offset of the nanoseconds beyond them. */
    public static final int NANOS_OFFSET = 8;
    /** Size of the struct. */
    public static final int BYTES = 16;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private Timespec() {}

    /** Returns the whole time in nanoseconds. */
    public static long nanos(long address) {
        return RawMemory.getLong(address + SECONDS_OFFSET) * NANOS_PER_SECOND
                + RawMemory.getLong(address + NANOS_OFFSET);
    }
}
