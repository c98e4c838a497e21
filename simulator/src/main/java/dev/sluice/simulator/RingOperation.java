package dev.sluice.simulator;

import dev.sluice.ffi.RawMemory;

/** A submission that the ring has taken: the fields of {@code struct io_uring_sqe}, and how far it has come. */
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
    /** What the descriptor meant when it was submitted; null where there is none. */
    Object file = this;
    /** Bytes that a send has taken already. */
    int done;
    /** Whether the ring holds it. */
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
