package dev.sluice.simulator;

import dev.sluice.ffi.libc.RawMemory;

/** A submission accepted by the ring: the fields of {@code struct io_uring_sqe}, and its progress. */
final class RingOperation {
    final int opcode;
    final int flags;
    final int ioprio;
    final int fd;
    final long off;
    final long address;
    final int length;
    final int messageFlags;
    final long token;
    final int group;
    /** The target of the descriptor at submission; null for none. */
    Object file = this;
    /** Bytes that a send has accepted so far. */
    int done;
    /** True if the ring has armed it. */
    boolean isArmed;

    RingOperation(long sqe) {
        opcode = RawMemory.getByte(sqe);
        flags = RawMemory.getByte(sqe + 1) & 0xFF;
        ioprio = RawMemory.getShort(sqe + 2) & 0xFFFF;
        fd = RawMemory.getInt(sqe + 4);
        off = RawMemory.getLong(sqe + 8);
        address = RawMemory.getLong(sqe + 16);
        length = RawMemory.getInt(sqe + 24);
        messageFlags = RawMemory.getInt(sqe + 28);
        token = RawMemory.getLong(sqe + 32);
        group = RawMemory.getShort(sqe + 40) & 0xFFFF;
    }
}
