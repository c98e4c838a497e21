package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.RawMemory;
import java.util.concurrent.TimeUnit;

/**
 * {@code struct io_uring_getevents_arg} of linux/io_uring.h, followed by the {@code struct __kernel_timespec} that it
 * points to.
 *
 * <pre>
 *   0             8               12              16           24             32                40
 *   +-------------+---------------+---------------+------------+--------------+-----------------+
 *   |   sigmask   |  sigmask_sz   | min_wait_usec |     ts     |   seconds    |   nanoseconds   |
 *   +-------------+---------------+---------------+------------+--------------+-----------------+
 * </pre>
 */
final class GetEventsArgument {
    static final int SIGMASK_OFFSET = 0;
    static final int SIGMASK_SIZE_OFFSET = 8;
    static final int TS_OFFSET = 16;
    static final int BYTES = 24;

    static final int SECONDS_OFFSET = 0;
    static final int NANOSECONDS_OFFSET = 8;
    static final int TIMESPEC_BYTES = 16;

    private GetEventsArgument() {}

    /** Sets the time to wait; negative means no limit. The timespec follows immediately. */
    static void setTimeout(long address, long timeoutMillis) {
        long timespec = address + BYTES;
        RawMemory.putLong(address + TS_OFFSET, timeoutMillis < 0 ? 0 : timespec);
        RawMemory.putLong(timespec + SECONDS_OFFSET, timeoutMillis / 1000);
        RawMemory.putLong(timespec + NANOSECONDS_OFFSET, TimeUnit.MILLISECONDS.toNanos(timeoutMillis % 1000));
    }
}
