package dev.sluice.ffi.libc;

/**
 * {@code struct open_how} of linux/openat2.h.
 *
 * <pre>
 *   0              8              16              24
 *   +--------------+--------------+---------------+
 *   |  flags (64)  |  mode (64)   | resolve (64)  |
 *   +--------------+--------------+---------------+
 * </pre>
 */
public final class OpenHow {
    /** Offset of the flags of open(2). */
    public static final int FLAGS_OFFSET = 0;
    /** Offset of the permissions of a new file; 0 without O_CREAT. */
    public static final int MODE_OFFSET = 8;
    /** Offset of the limits of the resolution. */
    public static final int RESOLVE_OFFSET = 16;
    /** Size of the struct. */
    public static final int BYTES = 24;

    private OpenHow() {}

    /** Writes all fields. */
    public static void write(long address, int flags, int mode, int resolve) {
        RawMemory.putLong(address + FLAGS_OFFSET, Integer.toUnsignedLong(flags));
        RawMemory.putLong(address + MODE_OFFSET, mode);
        RawMemory.putLong(address + RESOLVE_OFFSET, resolve);
    }
}
