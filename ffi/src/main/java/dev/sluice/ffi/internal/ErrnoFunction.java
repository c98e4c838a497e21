package dev.sluice.ffi.internal;

import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A C function whose errno matters. Callers pass numbers only: the first is the address that receives errno, of
 * {@link #ERRNO_BYTES}, the others are the arguments, widened as {@link NativeLibrary} says.
 *
 * <p>The linker's handle takes the place of errno as a {@link MemorySegment}, and slices it in each call. Inlined into
 * a large caller, such as an event loop, the call may be cut where the JIT compiler's limits end, between the creation
 * of a segment and its use; the segment is then allocated on the heap. So the handle is no constant for the compiler,
 * which never inlines such a handle: each function is compiled by itself, where both segments are in sight and are
 * eliminated, and callers pass no object.
 */
public final class ErrnoFunction {
    /** Size of the memory that receives errno. */
    public static final long ERRNO_BYTES = Linker.Option.captureStateLayout().byteSize();

    private static final MemoryLayout ERRNO = Linker.Option.captureStateLayout();
    private static final MemorySegment EVERYTHING = everything();
    private static final MethodHandle PLACE = place();

    private final String symbol;

    /** Not final, and no element of a record or of an immutable collection: it must not be a constant, see above. */
    private MethodHandle handle;

    /**
     * Wraps a handle that the linker made with the option {@code captureCallState("errno")}.
     *
     * @param symbol the function's name
     */
    public ErrnoFunction(String symbol, MethodHandle linked) {
        this.symbol = symbol;
        this.handle = MethodHandles.filterArguments(linked, 0, PLACE);
    }

    /** Returns how many parameters the function has, without errno's address. */
    public int parameterCount() {
        return handle.type().parameterCount() - 1;
    }

    /** Calls a function of one parameter. */
    public long call(long errno, long a) {
        try {
            return (long) handle.invokeExact(errno, a);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of two parameters. */
    public long call(long errno, long a, long b) {
        try {
            return (long) handle.invokeExact(errno, a, b);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of three parameters. */
    public long call(long errno, long a, long b, long c) {
        try {
            return (long) handle.invokeExact(errno, a, b, c);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of four parameters. */
    public long call(long errno, long a, long b, long c, long d) {
        try {
            return (long) handle.invokeExact(errno, a, b, c, d);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of five parameters. */
    public long call(long errno, long a, long b, long c, long d, long e) {
        try {
            return (long) handle.invokeExact(errno, a, b, c, d, e);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of six parameters. */
    public long call(long errno, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) handle.invokeExact(errno, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /** Calls a function of seven parameters. */
    public long call(long errno, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) handle.invokeExact(errno, a, b, c, d, e, f, g);
        } catch (Throwable t) {
            throw NativeLibrary.impossible(symbol, t);
        }
    }

    /**
     * Returns the segment at an address. Sliced from a constant, so that the JIT compiler knows its type, and by the
     * method that the linker slices by. The one with a size has a bridge, whose profile belongs to all slices of the
     * process: where others have made many, C2 may take the call behind it for a rare one and not inline it ("low call
     * site frequency").
     */
    @SuppressWarnings("UnusedMethod") // called through PLACE
    private static MemorySegment segmentAt(long errno) {
        return EVERYTHING.asSlice(errno, ERRNO);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    private static MethodHandle place() {
        try {
            return MethodHandles.lookup()
                    .findStatic(
                            ErrnoFunction.class, "segmentAt", MethodType.methodType(MemorySegment.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
