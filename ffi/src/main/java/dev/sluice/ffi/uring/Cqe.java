package dev.sluice.ffi.uring;

/**
 * {@code struct io_uring_cqe} of linux/io_uring.h: one completion.
 *
 * <pre>
 *   0                    8            12           16
 *   +--------------------+------------+------------+
 *   |     user_data      |    res     |   flags    |
 *   +--------------------+------------+------------+
 * </pre>
 */
final class Cqe {
    static final int USER_DATA_OFFSET = 0;
    static final int RES_OFFSET = 8;
    static final int FLAGS_OFFSET = 12;
    static final int BYTES = 16;

    private Cqe() {}
}
