package dev.sluice.ffi.libc;

import dev.sluice.ffi.internal.ErrnoFunction;
import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The linkage of C library functions: all values are passed as {@code long}, see {@link NativeLibrary}.
 *
 * <p>Functions are looked up as the loader does for the process's other libraries: those of a library in {@code
 * LD_PRELOAD}, such as AddressSanitizer or another {@code malloc}, come before the C library's. The linker's default
 * lookup sees the C library alone; memory would then come from one heap, and be watched by the checker of another.
 */
@SuppressWarnings("restricted")
final class Downcalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final SymbolLookup SYMBOLS = processSymbols();

    private Downcalls() {}

    /** Returns the errno that a call left at an address. It is the only member of the linker's struct on Linux. */
    static int errno(long address) {
        return RawMemory.getInt(address);
    }

    /** Links a function that stores errno at the address passed as its first argument. */
    static ErrnoFunction withErrno(String name, FunctionDescriptor type) {
        return new ErrnoFunction(name, LINKER.downcallHandle(SYMBOLS.findOrThrow(name), type, ERRNO));
    }

    /** Links a variadic function that stores errno likewise. */
    static ErrnoFunction variadicWithErrno(String name, FunctionDescriptor type, int firstVariadicArgument) {
        return new ErrnoFunction(
                name,
                LINKER.downcallHandle(
                        SYMBOLS.findOrThrow(name), type, ERRNO, Linker.Option.firstVariadicArg(firstVariadicArgument)));
    }

    /** Links a function whose errno is not needed. */
    static MethodHandle plain(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(SYMBOLS.findOrThrow(name), type);
    }

    /** Links a function that the process may lack; null then. */
    static @Nullable MethodHandle optional(String name, FunctionDescriptor type) {
        return find(name).map(address -> LINKER.downcallHandle(address, type)).orElse(null);
    }

    /** Returns the address of a function of the process. */
    static Optional<MemorySegment> find(String name) {
        return SYMBOLS.find(name);
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

    /** dlopen, given an empty name, opens the program itself with all that was loaded with it; musl's refuses. */
    private static SymbolLookup processSymbols() {
        try {
            return SymbolLookup.libraryLookup("", Arena.global()).or(LINKER.defaultLookup());
        } catch (IllegalArgumentException e) {
            return LINKER.defaultLookup();
        }
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
