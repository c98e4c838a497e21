package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.LibC;

/** The zeroed argument memory of one call on the set-up path. */
record RingScratch(long address) implements AutoCloseable {
    RingScratch(int byteSize) {
        this(LibC.calloc(1, byteSize));
        if (address == 0) {
            throw new OutOfMemoryError("calloc refused " + byteSize + " bytes");
        }
    }

    @Override
    public void close() {
        LibC.free(address);
    }
}
