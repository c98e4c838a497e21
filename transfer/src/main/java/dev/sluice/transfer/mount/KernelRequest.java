package dev.sluice.transfer.mount;

import dev.sluice.ffi.fuse.FuseRequests;
import dev.sluice.ffi.libc.RawMemory;

/** One request of the kernel, in the buffer that it was read into. Reused. Confined to the reading thread. */
final class KernelRequest {
    private final long address;
    private int bytes;

    /** Creates access to a buffer. */
    KernelRequest(long address) {
        this.address = address;
    }

    /** Records the size of the next request. */
    void received(int count) {
        bytes = count;
    }

    int operation() {
        return RawMemory.getInt(address + FuseRequests.HEADER_OPCODE_OFFSET);
    }

    long unique() {
        return RawMemory.getLong(address + FuseRequests.HEADER_UNIQUE_OFFSET);
    }

    long node() {
        return RawMemory.getLong(address + FuseRequests.HEADER_NODEID_OFFSET);
    }

    /** Returns 32 bits of the operation's struct. */
    int getInt(int offset) {
        return RawMemory.getInt(address + FuseRequests.HEADER_BYTES + offset);
    }

    /** Returns 64 bits of the operation's struct. */
    long getLong(int offset) {
        return RawMemory.getLong(address + FuseRequests.HEADER_BYTES + offset);
    }

    /** Returns the address of what follows a struct. */
    long dataAddress(int structBytes) {
        return address + FuseRequests.HEADER_BYTES + structBytes;
    }

    /** Returns a copy of the name at an offset behind the header; it ends with NUL. */
    byte[] name(int offset) {
        long at = address + FuseRequests.HEADER_BYTES + offset;
        int length = 0;
        int limit = bytes - FuseRequests.HEADER_BYTES - offset;
        while (length < limit && RawMemory.getByte(at + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        RawMemory.copy(at, name, 0, length);
        return name;
    }
}
