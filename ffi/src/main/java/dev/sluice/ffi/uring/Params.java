package dev.sluice.ffi.uring;

/**
 * {@code struct io_uring_params} of linux/io_uring.h, with the two structs of ring offsets inside it.
 *
 * <pre>
 *   0            4            8       12             16              20         24      28       40       80       120
 *   +------------+------------+-------+--------------+---------------+----------+-------+--------+--------+--------+
 *   | sq_entries | cq_entries | flags | sq_thread_cpu| sq_thread_idle| features | wq_fd | resv[3]| sq_off | cq_off |
 *   +------------+------------+-------+--------------+---------------+----------+-------+--------+--------+--------+
 *
 *   sq_off:  head 0, tail 4, ring_mask 8, ring_entries 12, flags 16, dropped 20, array 24, resv 28, user_addr 32
 *   cq_off:  head 0, tail 4, ring_mask 8, ring_entries 12, overflow 16, cqes 20, flags 24, resv 28, user_addr 32
 * </pre>
 */
final class Params {
    static final int SQ_ENTRIES_OFFSET = 0;
    static final int CQ_ENTRIES_OFFSET = 4;
    static final int FLAGS_OFFSET = 8;
    static final int FEATURES_OFFSET = 20;
    static final int SQ_OFF_OFFSET = 40;
    static final int CQ_OFF_OFFSET = 80;
    static final int BYTES = 120;

    static final int SQ_HEAD_OFFSET = SQ_OFF_OFFSET;
    static final int SQ_TAIL_OFFSET = SQ_OFF_OFFSET + 4;
    static final int SQ_FLAGS_OFFSET = SQ_OFF_OFFSET + 16;
    static final int SQ_ARRAY_OFFSET = SQ_OFF_OFFSET + 24;
    static final int CQ_HEAD_OFFSET = CQ_OFF_OFFSET;
    static final int CQ_TAIL_OFFSET = CQ_OFF_OFFSET + 4;
    static final int CQ_CQES_OFFSET = CQ_OFF_OFFSET + 20;

    private Params() {}
}
