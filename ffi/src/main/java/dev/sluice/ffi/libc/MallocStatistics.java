package dev.sluice.ffi.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The heap usage of the C library: {@code struct mallinfo2} of {@code <malloc.h>}, glibc 2.33 or later.
 *
 * <pre>
 *   0       8         16       24      32       40        48        56         64         72         80
 *   +-------+---------+--------+-------+--------+---------+---------+----------+----------+----------+
 *   | arena | ordblks | smblks | hblks | hblkhd | usmblks | fsmblks | uordblks | fordblks | keepcost |
 *   +-------+---------+--------+-------+--------+---------+---------+----------+----------+----------+
 * </pre>
 */
public final class MallocStatistics {
    /** The result of {@link #bytesInUse} where the C library does not report it, or another malloc is preloaded. */
    public static final long UNKNOWN = -1;

    static final int BYTES = 80;
    static final int MAPPED_OFFSET = 32;
    static final int IN_USE_OFFSET = 56;

    private static final String SYMBOL = "mallinfo2";
    private static final MemoryLayout MALLINFO2 =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(BYTES / Long.BYTES, ValueLayout.JAVA_LONG)
                    .withName("counts"));
    private static final SymbolLookup SYMBOLS = Linker.nativeLinker().defaultLookup();
    private static final boolean REPORTED =
            SYMBOLS.find(SYMBOL).isPresent() && SYMBOLS.find("malloc").equals(Downcalls.find("malloc"));

    private MallocStatistics() {}

    /**
     * Returns the bytes allocated with malloc and not freed, over all threads, including large blocks. Locks every
     * arena for the duration of the call: for measurements, not for a busy loop.
     */
    public static long bytesInUse() {
        if (!REPORTED) {
            return UNKNOWN;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) Handle.MALLINFO2_HANDLE.invokeExact((SegmentAllocator) arena);
            return RawMemory.getLong(info.address() + MAPPED_OFFSET)
                    + RawMemory.getLong(info.address() + IN_USE_OFFSET);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /**
     * The method handle, linked on first use where the function exists. The function returns a struct, so its result
     * cannot be passed as longs.
     */
    private static final class Handle {
        @SuppressWarnings("restricted")
        static final MethodHandle MALLINFO2_HANDLE =
                Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(SYMBOL), FunctionDescriptor.of(MALLINFO2));
    }
}
