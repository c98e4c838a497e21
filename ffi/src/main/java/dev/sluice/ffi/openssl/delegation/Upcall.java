package dev.sluice.ffi.openssl.delegation;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;
import static dev.sluice.ffi.internal.NativeLibrary.VOID;

import dev.sluice.ffi.internal.NativeLibrary;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** A factory of C function pointers to static Java methods, for the lifetime of the process. */
final class Upcall {
    private Upcall() {}

    /**
     * Returns a function pointer.
     *
     * @param lookup of the class that has the method, which must not throw
     * @param returns {@code long} for a pointer, {@code int}, or {@code void}
     * @param parameters likewise
     */
    static long to(MethodHandles.Lookup lookup, String method, Class<?> returns, Class<?>... parameters) {
        try {
            MethodType type = MethodType.methodType(returns, parameters);
            MemoryLayout[] layouts = new MemoryLayout[parameters.length];
            for (int i = 0; i < layouts.length; i++) {
                layouts[i] = parameters[i] == int.class ? INT : LONG;
            }
            return NativeLibrary.callback(
                    lookup.findStatic(lookup.lookupClass(), method, type), layoutOf(returns), layouts);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: " + method, e);
        }
    }

    private static @Nullable MemoryLayout layoutOf(Class<?> type) {
        if (type == void.class) {
            return VOID;
        }
        return type == int.class ? INT : LONG;
    }
}
