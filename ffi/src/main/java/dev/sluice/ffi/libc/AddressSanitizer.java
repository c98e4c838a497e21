package dev.sluice.ffi.libc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * AddressSanitizer's interface for allocators, sanitizer/asan_interface.h, where the process was started with it, as
 * tools/sanitizers/run does. It watches accesses by the C library and by what was compiled for it; not by Java or the
 * kernel.
 */
final class AddressSanitizer {
    private static final @Nullable MethodHandle POISON = link("__asan_poison_memory_region");
    private static final @Nullable MethodHandle UNPOISON = link("__asan_unpoison_memory_region");

    private AddressSanitizer() {}

    /** Lets each access to these bytes be reported; nothing without AddressSanitizer. */
    static void forbid(long address, long bytes) {
        call(POISON, address, bytes);
    }

    /** Ends that. */
    static void permit(long address, long bytes) {
        call(UNPOISON, address, bytes);
    }

    private static @Nullable MethodHandle link(String name) {
        return Downcalls.optional(name, Downcalls.returnsNothing(JAVA_LONG, JAVA_LONG));
    }

    private static void call(@Nullable MethodHandle function, long address, long bytes) {
        if (function == null) {
            return;
        }
        try {
            long ignored = (long) function.invokeExact(address, bytes);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }
}
