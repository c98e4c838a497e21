package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.Kernel;

/**
 * The three system calls of io_uring, which have no C library function. Their numbers are the same on all
 * architectures.
 */
final class UringSyscalls {
    static final int SYS_IO_URING_SETUP = 425;
    static final int SYS_IO_URING_ENTER = 426;
    static final int SYS_IO_URING_REGISTER = 427;

    private UringSyscalls() {}

    /** Calls io_uring_setup(2); returns the ring's descriptor or -errno. */
    static int setup(Kernel kernel, int entries, long paramsAddress) {
        return (int) kernel.syscall(SYS_IO_URING_SETUP, entries, paramsAddress, 0, 0, 0, 0);
    }

    /** Calls io_uring_enter(2); returns the number of submissions taken, or -errno. */
    static int enter(
            Kernel kernel, int ringFd, int toSubmit, int minComplete, int flags, long argument, long byteSize) {
        return (int) kernel.syscall(SYS_IO_URING_ENTER, ringFd, toSubmit, minComplete, flags, argument, byteSize);
    }

    /** Calls io_uring_register(2); returns at least 0, or -errno. */
    static int register(Kernel kernel, int ringFd, int operation, long argument, int count) {
        return (int) kernel.syscall(SYS_IO_URING_REGISTER, ringFd, operation, argument, count, 0, 0);
    }
}
