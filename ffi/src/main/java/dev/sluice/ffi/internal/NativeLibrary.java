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
 * A shared library, open for the lifetime of the process, which links method handles to its functions.
 *
 * <p>Pointers are passed as {@code long}: the data path works on raw addresses. So is everything else: an {@link #INT}
 * parameter is widened by the caller, and the callee reads the lower half of its register; an {@link #INT} result is
 * the lower half of the {@code long} returned, and {@link #VOID} is whatever the register held (System V ABI for AMD64,
 * section 3.2.3; AAPCS64, section 6.8.2). Function types then differ only in the number of parameters. The linker
 * generates and loads about ten classes per function type, which used to dominate the start time of a process.
 */
public final class NativeLibrary {
    /** C {@code int}. */
    public static final MemoryLayout INT = ValueLayout.JAVA_INT;

    /** C {@code long}, {@code size_t}, or a pointer: 64 bits on every supported platform. */
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
     * Opens a library file.
     *
     * @throws IllegalArgumentException when the file is missing, or not a library for this platform
     */
    @SuppressWarnings("restricted")
    public static NativeLibrary open(Path file) {
        return new NativeLibrary(file.toString(), SymbolLookup.libraryLookup(file, Arena.global()));
    }

    /**
     * Opens a library by name, on the search path of the system's loader.
     *
     * @throws IllegalArgumentException when the loader does not find it
     */
    @SuppressWarnings("restricted")
    public static NativeLibrary openByName(String soname) {
        return new NativeLibrary(soname, SymbolLookup.libraryLookup(soname, Arena.global()));
    }

    /**
     * Links a function.
     *
     * @param returns its result type, {@link #VOID} for none
     * @throws UnsatisfiedLinkError when the library lacks it
     */
    public MethodHandle function(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return link(require(symbol), kind(parameters));
    }

    /** Links a function that is always very short and never calls back into Java, at a third of a plain call's cost. */
    public MethodHandle criticalFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return link(require(symbol), kind(parameters), Linker.Option.critical(false));
    }

    /** Links a function whose errno matters. */
    public ErrnoFunction errnoFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return new ErrnoFunction(
                symbol, link(require(symbol), kind(parameters), Linker.Option.captureCallState("errno")));
    }

    /** Links a function whose last parameter is the first variadic one. */
    public MethodHandle variadicFunction(String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        Linker.Option variadic = Linker.Option.firstVariadicArg(parameters.length - 1);
        return link(require(symbol), kind(parameters), variadic);
    }

    /** Links a function that not every version has; null where it is absent. */
    public @Nullable MethodHandle optionalFunction(
            String symbol, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return has(symbol) ? function(symbol, returns, parameters) : null;
    }

    /** Returns the file or name that the library was opened by. */
    public String name() {
        return name;
    }

    /** Returns whether the library has a symbol. */
    public boolean has(String symbol) {
        return symbols.find(symbol).isPresent();
    }

    /**
     * Returns the address of a symbol.
     *
     * @throws UnsatisfiedLinkError when the library lacks it
     */
    public long address(String symbol) {
        return require(symbol).address();
    }

    /**
     * Creates a C function pointer to a Java method, for the lifetime of the process.
     *
     * @param target must not throw: an exception would end the process
     */
    @SuppressWarnings("restricted")
    public static long callback(MethodHandle target, @Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return LINKER.upcallStub(target, describe(returns, parameters), Arena.global())
                .address();
    }

    /** Returns the error for a failure of the call itself, which a correct binding never has. */
    public static AssertionError impossible(String symbol, Throwable cause) {
        return new AssertionError("native call failed: symbol=" + symbol, cause);
    }

    private MemorySegment require(String symbol) {
        return symbols.find(symbol)
                .orElseThrow(() -> new UnsatisfiedLinkError(
                        "symbol " + symbol + " is missing in " + name + "; install a newer version of the library"));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(MemorySegment address, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(address, type, options);
    }

    /** Returns the descriptor shared by all functions with these parameters, whatever their result: longs. */
    private static FunctionDescriptor kind(MemoryLayout... parameters) {
        MemoryLayout[] longs = new MemoryLayout[parameters.length];
        Arrays.fill(longs, LONG);
        return FunctionDescriptor.of(LONG, longs);
    }

    private static FunctionDescriptor describe(@Nullable MemoryLayout returns, MemoryLayout... parameters) {
        return returns == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(returns, parameters);
    }
}
