package dev.sluice.ffi.libc;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** The linkage of C library functions: all values are passed as {@code long}, see {@link NativeLibrary}. */
@SuppressWarnings("restricted")
final class Downcalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Size of the buffer that receives errno. */
    static final long CAPTURE_BYTES = Linker.Option.captureStateLayout().byteSize();

    /** Reads errno from that buffer: {@code (int) ERRNO_IN.get(buffer, 0L)}. */
    static final VarHandle ERRNO_IN =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private Downcalls() {}

    /**
     * Returns the segment that receives errno. Created for each call: for a segment in a field, the JIT compiler would
     * take its type from a profile shared by the whole process, and with several types each call would leave the JDK's
     * slice on the heap. Sliced here and not by a helper, since the compiler eliminates the slice only within its limit
     * of nested calls, which the callers of a system call use, too.
     */
    static MemorySegment capture(long address) {
        return EVERYTHING.asSlice(address, CAPTURE_BYTES);
    }

    /** Links a function that stores errno in the segment passed as its first argument. */
    static MethodHandle withErrno(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, ERRNO);
    }

    /** Links a variadic function that stores errno likewise. */
    static MethodHandle variadicWithErrno(String name, FunctionDescriptor type, int firstVariadicArgument) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                type,
                ERRNO,
                Linker.Option.firstVariadicArg(firstVariadicArgument));
    }

    /** Links a function whose errno is not needed. */
    static MethodHandle plain(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    static FunctionDescriptor returnsInt(ValueLayout... arguments) {
        return kind(arguments.length);
    }

    static FunctionDescriptor returnsLong(ValueLayout... arguments) {
        return kind(arguments.length);
    }

    static FunctionDescriptor returnsNothing(ValueLayout... arguments) {
        return kind(arguments.length);
    }

    private static FunctionDescriptor kind(int arguments) {
        MemoryLayout[] longs = new MemoryLayout[arguments];
        Arrays.fill(longs, ValueLayout.JAVA_LONG);
        return FunctionDescriptor.of(ValueLayout.JAVA_LONG, longs);
    }

    /** Returns the error for an exception from a handle that declares none. */
    static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("downcall threw an exception; check its signature", thrown);
    }
}
