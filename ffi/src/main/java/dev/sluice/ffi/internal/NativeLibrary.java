package dev.sluice.ffi.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A shared library, open for as long as the process lives, and the making of method handles for its functions.
 *
 * <p>Pointers travel as {@code long}: the data path passes raw addresses. So does all else: an {@link #INT} parameter is
 * widened by the caller, and the callee looks at the lower half of its register; an {@link #INT} result is the lower half of
 * the {@code long} returned, and {@link #VOID} is whatever the register held (System V ABI for AMD64, section 3.2.3; AAPCS64,
 * section 6.8.2). Functions then differ in the number of their parameters and in nothing else. The linker makes and loads some
 * ten classes for each kind of function, and that was most of the time that a process took to start.
 */
public final class NativeLibrary {
    /** C {@code int}. */
    public static final MemoryLayout INT = ValueLayout.JAVA_INT;

    /** C {@code long}, {@code size_t}, or a pointer: 64 bits on every platform that we run on. */
    public static final MemoryLayout LONG = ValueLayout.JAVA_LONG;

    /** C {@code void}, as a return type. */
    public static final @Nullable MemoryLayout VOID = null;

    private static final Linker LINKER = Linker.nativeLinker();

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Opens a library by its file.
     *
     * @throws IllegalArgumentException when the file is missing, or not a library that fits here
     */
    @SuppressWarnings("restricted")
    public static NativeLibrary open(Path file) {
        return new NativeLibrary(file.toString(), SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /**
     * Opens a library by name, searched for where the system's loader searches.
     *
     * @throws IllegalArgumentException when the loader finds none
     */
    @SuppressWarnings("restricted")
    public static NativeLibrary openByName(String soname) {
        return new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global()));
    }

    /**
     * A function.
     *
     * @param returns what it returns, {@link #VOID} for nothing
     * @throws UnsatisfiedLinkError when the library lacks it
     */
    public MethodHandle function(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return link(require(symbol), kind(parameters));
    }

    /** A function that is always very short and never calls back into Java: a third of a plain call's cost. */
    public MethodHandle criticalFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return link(require(symbol), kind(parameters), Linker.Option.critical(false));
    }

    /** A function whose errno matters: takes the segment that errno is stored in as its first argument. */
    public MethodHandle errnoFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return link(require(symbol), kind(parameters), Linker.Option.captureCallState("errno"));
    }

    /** A function whose last parameter is the first of its variadic ones. */
    public MethodHandle variadicFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        Linker.Option variadic = Linker.Option.firstVariadicArg(parameters.length - 1);
        return link(require(symbol), kind(parameters), variadic);
    }

    /** A function that not every version has: null where it is absent. */
    public @Nullable MethodHandle optionalFunction(
            String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return has(symbol) ? function(symbol, returns, parameters) : null;
    }

    /** The file or name that it was opened by. */
    public String name() {
        return name;
    }

    /** Whether the library has a symbol. */
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    /**
     * Makes a C function pointer that calls a Java method, for as long as the process lives.
     *
     * @param target must not let an exception out: that would end the process
     */
    @SuppressWarnings("restricted")
    public static long callback(MethodHandle target, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return LINKER.upcallStub(target, describe(returns, parameters), Arena.global())
                .address();
    }

    /** What a binding throws when the call itself failed, which a correct binding's never does. */
    public static AssertionError impossible(String symbol, Throwable cause) {
        return new AssertionError("the native call itself failed: symbol=" + symbol, cause);
    }

    private MemorySegment require(String symbol) {
        return symbols.find(symbol)
                .orElseThrow(() -> new UnsatisfiedLinkError("symbol " + symbol + " is missing in " + name
                        + "; the library is older than this program needs, or not the one it should be"));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(MemorySegment address, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(address, type, options);
    }

    /** What is passed for a function of these parameters, whatever it returns: longs. */
    private static FunctionDescriptor kind(MemoryLayout... parameters) {
        MemoryLayout[] longs = new MemoryLayout[parameters.length];
        Arrays.fill(longs, LONG);
        return FunctionDescriptor.of(LONG, longs);
    }

    private static FunctionDescriptor describe(@Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return returns == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(returns, parameters);
    }
}
