package dev.sluice.transfer.export;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibCFiles;
import java.util.Arrays;

/** The files and directories that a session has open, by the numbers that the peer knows. Confined to one thread. */
final class HandleTable implements AutoCloseable {
    private static final int FREE = -1;

    private final int[] descriptors;
    private final HandleUse[] uses;
    private final int[] free;
    private int freeCount;

    /** The permitted use of a handle. */
    enum HandleUse {
        /** A file that is read. */
        READ,
        /** A file that is written. */
        WRITE,
        /** A file that is read and written. */
        BOTH,
        /** A directory that is listed. */
        LIST;

        boolean reads() {
            return this == READ || this == BOTH;
        }

        boolean writes() {
            return this == WRITE || this == BOTH;
        }
    }

    /** Creates an empty table. */
    HandleTable(int capacity) {
        descriptors = new int[capacity];
        uses = new HandleUse[capacity];
        free = new int[capacity];
        Arrays.fill(descriptors, FREE);
        Arrays.fill(uses, HandleUse.READ);
        for (int i = 0; i < capacity; i++) {
            free[i] = capacity - 1 - i;
        }
        freeCount = capacity;
    }

    /** Returns whether the table is full. */
    boolean isFull() {
        return freeCount == 0;
    }

    /** Takes over a descriptor; returns its handle. The table is not full. */
    int add(int descriptor, HandleUse use) {
        int handle = free[--freeCount];
        descriptors[handle] = descriptor;
        uses[handle] = use;
        return handle;
    }

    /** Returns the descriptor of a handle from the peer, or -EBADF. */
    int descriptor(int handle) {
        boolean valid = handle >= 0 && handle < descriptors.length && descriptors[handle] != FREE;
        return valid ? descriptors[handle] : -Errno.EBADF;
    }

    /** Returns the descriptor of a handle that may be read, or -EBADF. */
    int toRead(int handle) {
        int descriptor = descriptor(handle);
        return descriptor < 0 || uses[handle].reads() ? descriptor : -Errno.EBADF;
    }

    /** Returns the descriptor of a handle that may be written, or -EBADF. */
    int toWrite(int handle) {
        int descriptor = descriptor(handle);
        return descriptor < 0 || uses[handle].writes() ? descriptor : -Errno.EBADF;
    }

    /** Returns the descriptor of a directory, or -EBADF. */
    int toList(int handle) {
        int descriptor = descriptor(handle);
        return descriptor < 0 || uses[handle] == HandleUse.LIST ? descriptor : -Errno.EBADF;
    }

    /** Closes a handle; returns 0 or -EBADF. */
    int remove(int handle) {
        int descriptor = descriptor(handle);
        if (descriptor < 0) {
            return descriptor;
        }
        LibCFiles.closeFd(descriptor);
        descriptors[handle] = FREE;
        free[freeCount++] = handle;
        return 0;
    }

    @Override
    public void close() {
        for (int handle = 0; handle < descriptors.length; handle++) {
            remove(handle);
        }
    }
}
