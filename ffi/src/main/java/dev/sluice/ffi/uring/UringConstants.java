package dev.sluice.ffi.uring;

/** Constants of linux/io_uring.h; a test compares each with the header. */
public final class UringConstants {
    // opcodes
    /** No operation. */
    public static final int IORING_OP_NOP = 0;
    /** poll(2) of one descriptor, once. */
    public static final int IORING_OP_POLL_ADD = 6;
    /** accept4(2). */
    public static final int IORING_OP_ACCEPT = 13;
    /** Cancels a pending operation. */
    public static final int IORING_OP_ASYNC_CANCEL = 14;
    /** connect(2). */
    public static final int IORING_OP_CONNECT = 16;
    /** close(2). */
    public static final int IORING_OP_CLOSE = 19;
    /** read(2). */
    public static final int IORING_OP_READ = 22;
    /** send(2). */
    public static final int IORING_OP_SEND = 26;
    /** recv(2). */
    public static final int IORING_OP_RECV = 27;

    // flags of a submission
    /** The kernel chooses a buffer of the group when the bytes are there. */
    public static final int IOSQE_BUFFER_SELECT = 0x20;
    /** No completion when it succeeds. */
    public static final int IOSQE_CQE_SKIP_SUCCESS = 0x40;
    /** ioprio of an accept: repeats until it fails. */
    public static final int IORING_ACCEPT_MULTISHOT = 1;
    /** ioprio of a receive: repeats until it fails. */
    public static final int IORING_RECV_MULTISHOT = 2;

    // flags of a completion
    /** A provided buffer was used; its id is in the upper 16 bits of the flags. */
    public static final int IORING_CQE_F_BUFFER = 1;
    /** More completions of this submission will come. */
    public static final int IORING_CQE_F_MORE = 2;
    /** Position of the buffer id. */
    public static final int IORING_CQE_BUFFER_SHIFT = 16;

    // set-up
    /** The caller sets the size of the completion queue. */
    public static final int IORING_SETUP_CQSIZE = 0x8;
    /** Sizes above the limit are lowered to it. */
    public static final int IORING_SETUP_CLAMP = 0x10;
    /** A bad submission does not stop those behind it. */
    public static final int IORING_SETUP_SUBMIT_ALL = 0x80;
    /** Completions wait for the next call instead of interrupting. */
    public static final int IORING_SETUP_COOP_TASKRUN = 0x100;
    /** A flag in the ring says when such completions wait. */
    public static final int IORING_SETUP_TASKRUN_FLAG = 0x200;
    /** Only one thread submits. */
    public static final int IORING_SETUP_SINGLE_ISSUER = 0x1000;
    /** Completions are processed only in io_uring_enter. */
    public static final int IORING_SETUP_DEFER_TASKRUN = 0x2000;
    /** No array of indices between the queue and its entries. */
    public static final int IORING_SETUP_NO_SQARRAY = 0x10000;

    // flags of the submission queue, set by the kernel
    /** Completions without room wait in the kernel. */
    public static final int IORING_SQ_CQ_OVERFLOW = 2;
    /** Completions wait for io_uring_enter, by IORING_SETUP_TASKRUN_FLAG. */
    public static final int IORING_SQ_TASKRUN = 4;

    // mmap offsets
    /** Both rings. */
    public static final long IORING_OFF_SQ_RING = 0;
    /** The submission queue's entries. */
    public static final long IORING_OFF_SQES = 0x10000000;

    // features
    /** One mapping holds both rings. */
    public static final int IORING_FEAT_SINGLE_MMAP = 1;
    /** Completions without room are kept. */
    public static final int IORING_FEAT_NODROP = 2;
    /** Data referenced by a submission is read before io_uring_enter returns. */
    public static final int IORING_FEAT_SUBMIT_STABLE = 4;
    /** io_uring_enter takes a timeout. */
    public static final int IORING_FEAT_EXT_ARG = 0x100;

    // io_uring_enter
    /** Waits for completions and processes them. */
    public static final int IORING_ENTER_GETEVENTS = 1;
    /** The last argument is a {@link GetEventsArgument}. */
    public static final int IORING_ENTER_EXT_ARG = 8;
    /** The descriptor is the number that {@link #IORING_REGISTER_RING_FDS} returned. */
    public static final int IORING_ENTER_REGISTERED_RING = 16;

    // io_uring_register
    /** Registers the ring's descriptor with the calling thread; Linux 5.18. */
    public static final int IORING_REGISTER_RING_FDS = 20;
    /** Undoes that, in the same thread. */
    public static final int IORING_UNREGISTER_RING_FDS = 21;
    /** Registers a ring of provided buffers. */
    public static final int IORING_REGISTER_PBUF_RING = 22;
    /** Unregisters the ring. */
    public static final int IORING_UNREGISTER_PBUF_RING = 23;

    private UringConstants() {}
}
