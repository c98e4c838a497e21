package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The native memory and the contexts of one direction of a channel, freed together, the last one first: at the end, or
 * when a constructor fails halfway. Confined to the thread that has the direction's {@link Claim}.
 */
final class Owned implements AutoCloseable {
    private final NativeAllocator allocator;
    private final Deque<Runnable> releases = new ArrayDeque<>();

    Owned(NativeAllocator allocator) {
        this.allocator = allocator;
    }

    /** Returns the source of the memory, for parts that own theirs. */
    NativeAllocator allocator() {
        return allocator;
    }

    /** Allocates zeroed memory for 64-bit values, which is wiped before it is freed. */
    MemorySegment allocate(long bytes) {
        MemorySegment memory = allocator.allocate(bytes, Long.BYTES);
        releases.push(() -> {
            memory.fill((byte) 0);
            allocator.free(memory);
        });
        return memory;
    }

    /** Creates the system calls of a thread. */
    LibC libc() {
        LibC libc = new LibC();
        releases.push(libc::close);
        return libc;
    }

    /** Adds a part that has just been made. */
    void add(Runnable release) {
        releases.push(release);
    }

    /** Frees everything. Idempotent. */
    @Override
    public void close() {
        while (!releases.isEmpty()) {
            releases.pop().run();
        }
    }
}
