package dev.sluice.bench.buffers.work;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The measured foreign calls: functions of the C library that do next to nothing, linked in different ways. */
@SuppressWarnings("restricted")
final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final FunctionDescriptor LONG_TO_LONG = FunctionDescriptor.of(LONG, LONG);
    private static final FunctionDescriptor POINTER_TO_LONG = FunctionDescriptor.of(LONG, POINTER);

    private static final MethodHandle LABS = link("labs", LONG_TO_LONG);
    private static final MethodHandle LABS_CRITICAL = link("labs", LONG_TO_LONG, Linker.Option.critical(false));
    private static final MethodHandle LABS_ERRNO = link("labs", LONG_TO_LONG, Linker.Option.captureCallState("errno"));
    private static final MethodHandle STRLEN_LONG = link("strlen", LONG_TO_LONG);
    private static final MethodHandle STRLEN = link("strlen", POINTER_TO_LONG);
    private static final MethodHandle STRLEN_HEAP = link("strlen", POINTER_TO_LONG, Linker.Option.critical(true));
    private static final MethodHandle BSEARCH =
            link("bsearch", FunctionDescriptor.of(POINTER, POINTER, POINTER, LONG, LONG, POINTER));

    private static final MemorySegment ERRNO = Arena.global().allocate(Linker.Option.captureStateLayout());
    private static final MemorySegment COMPARATOR =
            LINKER.upcallStub(comparator(), FunctionDescriptor.of(ValueLayout.JAVA_INT, LONG, LONG), Arena.global());

    private NativeCalls() {}

    private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
    }

    private static MethodHandle comparator() {
        try {
            return MethodHandles.lookup()
                    .findStatic(NativeCalls.class, "compare", MethodType.methodType(int.class, long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compares two addresses; called by the C library. */
    static int compare(long left, long right) {
        return Long.compare(left, right);
    }

    static long labs(long value) {
        try {
            return (long) LABS.invokeExact(value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long labsCritical(long value) {
        try {
            return (long) LABS_CRITICAL.invokeExact(value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long labsErrno(long value) {
        try {
            return (long) LABS_ERRNO.invokeExact(ERRNO, value);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long strlen(long address) {
        try {
            return (long) STRLEN_LONG.invokeExact(address);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long strlen(MemorySegment text) {
        try {
            return (long) STRLEN.invokeExact(text);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** Passes text on the heap, where the collector may not move it during the call. */
    static long strlenOnHeap(MemorySegment text) {
        try {
            return (long) STRLEN_HEAP.invokeExact(text);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /**
     * Searches for a pointer among elements of one byte, and calls back for each comparison.
     *
     * @param count 0 for no callback, 1 for one
     */
    static long bsearch(MemorySegment elements, long count) {
        try {
            return ((MemorySegment) BSEARCH.invokeExact(elements, elements, count, 1L, COMPARATOR)).address();
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a foreign call threw an exception; check its signature", thrown);
    }
}
