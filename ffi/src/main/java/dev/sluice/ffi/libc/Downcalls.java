package dev.sluice.ffi.libc;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** How C library functions are linked: everything travels as {@code long}, as {@link NativeLibrary} explains. */
@SuppressWarnings("restricted")
final class Downcalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    /** Bytes of the buffer that a call leaves errno in. */
    static final long CAPTURE_BYTES = Linker.Option.captureStateLayout().byteSize();

    /** Reads errno out of that buffer: {@code (int) ERRNO_IN.get(buffer, 0L)}. */
    static final VarHandle ERRNO_IN =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private Downcalls() {}

    /**
     * Where errno goes. Made for each call: of a segment out of a field the JIT compiler learns the kind from what else the
     * process does with segments, and where it learns of several, each call leaves the slice that the JDK takes of it on the
     * heap.
     */
    static MemorySegment capture(long address) {
        return RawMemory.view(address, CAPTURE_BYTES);
    }

    /** A function that leaves errno in the segment which is its first argument. */
    static MethodHandle withErrno(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, ERRNO);
    }

    /** The same for a function with variable arguments. */
    static MethodHandle variadicWithErrno(String name, FunctionDescriptor type, int firstVariadicArgument) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                type,
                ERRNO,
                Linker.Option.firstVariadicArg(firstVariadicArgument));
    }

    /** A function whose errno does not matter. */
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

    /** What a handle that does not declare exceptions threw all the same. */
    static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("a downcall threw, which the linker rules out; is the signature right?", thrown);
    }
}
