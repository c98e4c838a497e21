package dev.sluice.ffi.libc;

/**
 * {@code struct epoll_event} of sys/epoll.h: packed on x86-64, naturally aligned elsewhere.
 *
 * <pre>
 *   x86-64   0          4                    12
 *            +----------+--------------------+
 *            |  events  |        data        |
 *            +----------+--------------------+
 *   others   0          4          8                    16
 *            +----------+----------+--------------------+
 *            |  events  |  padding |        data        |
 *            +----------+----------+--------------------+
 * </pre>
 */
public final class EpollEvent {
    private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));

    /** Offset of the event bits, 32 bits. */
    public static final int EVENTS_OFFSET = 0;

    /** Offset of the user's 64 bits. */
    public static final int DATA_OFFSET = PACKED ? 4 : 8;

    /** Size of one event in bytes. */
    public static final int BYTES = PACKED ? 12 : 16;

    private EpollEvent() {}

    /** Returns the address of the event at an index of an array. */
    public static long at(long arrayAddress, int index) {
        return arrayAddress + (long) index * BYTES;
    }

    /** Returns the event bits. */
    public static int events(long address) {
        return RawMemory.getInt(address + EVENTS_OFFSET);
    }

    /** Returns the user's 64 bits. */
    public static long data(long address) {
        return RawMemory.getLong(address + DATA_OFFSET);
    }

    /** Initializes an event. */
    public static void set(long address, int events, long data) {
        RawMemory.putInt(address + EVENTS_OFFSET, events);
        RawMemory.putLong(address + DATA_OFFSET, data);
    }
}
