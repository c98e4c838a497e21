package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The CPU-time clock of the calling thread, in nanoseconds: user and system time, without the time spent waiting for a
 * processor. Unlike {@link System#nanoTime()} it makes a system call of some 200 ns, since the vDSO does not implement
 * it. Confined to one thread.
 */
public final class ThreadClock implements AutoCloseable {
    private static final MethodHandle clock_gettime = Downcalls.plain("clock_gettime", returnsInt(JAVA_INT, JAVA_LONG));

    private final NativeAllocator allocator;
    private final MemorySegment timespec;
    private final long address;

    /** Creates a clock; the caller closes it. */
    public ThreadClock(NativeAllocator allocator) {
        this.allocator = allocator;
        this.timespec = allocator.allocate(Timespec.BYTES, Long.BYTES);
        this.address = timespec.address();
    }

    /** Returns the CPU time used by the calling thread. Allocates nothing. */
    public long nanos() {
        try {
            long _ = (long) clock_gettime.invokeExact((long) Constants.CLOCK_THREAD_CPUTIME_ID, address);
            return Timespec.nanos(address);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Frees the memory; called once. */
    @Override
    public void close() {
        allocator.free(timespec);
    }
}
