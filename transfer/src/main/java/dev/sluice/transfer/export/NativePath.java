package dev.sluice.transfer.export;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.tree.Names;

/** Native memory for one path at a time, ended by NUL. Confined to one thread. */
final class NativePath implements AutoCloseable {
    private static final int BYTES = Names.PATH_MAX + 1;

    private final long address;

    /** Takes the memory. */
    NativePath() {
        this.address = LibC.calloc(1, BYTES);
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + BYTES + " bytes for a path");
        }
    }

    /** Writes a path; returns its address, valid until the next call. */
    long of(byte[] path) {
        if (path.length >= BYTES) {
            throw new IllegalArgumentException("path of " + path.length + " bytes; at most " + Names.PATH_MAX);
        }
        RawMemory.copy(path, 0, address, path.length);
        RawMemory.putByte(address + path.length, (byte) 0);
        return address;
    }

    @Override
    public void close() {
        LibC.free(address);
    }
}
