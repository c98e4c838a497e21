package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.RawMemory;

/**
 * The name by which io_uring_enter(2) finds the ring: a number that is registered with the thread, which spares a look
 * into the table of descriptors that all threads share, or the descriptor itself where the kernel refuses.
 *
 * <p>The argument of the registration is {@code struct io_uring_rsrc_update} of linux/io_uring.h:
 *
 * <pre>
 *   0            4            8                16
 *   +------------+------------+----------------+
 *   |   offset   |    resv    |  data: the fd  |      offset in: any (-1); out: the number
 *   +------------+------------+----------------+
 * </pre>
 *
 * @param number what io_uring_enter(2) is called with
 * @param flag IORING_ENTER_REGISTERED_RING, or 0 when the number is the descriptor
 */
record EnterHandle(int number, int flag) {
    static final int OFFSET_OFFSET = 0;
    static final int DATA_OFFSET = 8;
    static final int BYTES = 16;

    private static final int ANY = -1;

    /** Registers a ring with the calling thread, which alone may enter it then. */
    static EnterHandle register(Kernel kernel, int ringFd) {
        try (RingScratch argument = new RingScratch(BYTES)) {
            RawMemory.putInt(argument.address() + OFFSET_OFFSET, ANY);
            RawMemory.putLong(argument.address() + DATA_OFFSET, ringFd);
            int registered = UringSyscalls.register(
                    kernel, ringFd, UringConstants.IORING_REGISTER_RING_FDS, argument.address(), 1);
            return registered == 1
                    ? new EnterHandle(
                            RawMemory.getInt(argument.address() + OFFSET_OFFSET),
                            UringConstants.IORING_ENTER_REGISTERED_RING)
                    : new EnterHandle(ringFd, 0);
        }
    }

    /** Gives the number back: the ring would stay open until the thread ends. */
    void unregister(Kernel kernel, int ringFd) {
        if (flag != 0) {
            try (RingScratch argument = new RingScratch(BYTES)) {
                RawMemory.putInt(argument.address() + OFFSET_OFFSET, number);
                UringSyscalls.register(
                        kernel, ringFd, UringConstants.IORING_UNREGISTER_RING_FDS, argument.address(), 1);
            }
        }
    }
}
