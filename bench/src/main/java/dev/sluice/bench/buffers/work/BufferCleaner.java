package dev.sluice.bench.buffers.work;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;

/**
 * The release of a direct buffer before the collector finds it, by {@code sun.misc.Unsafe}, which is named in strings
 * since javac warns of it.
 */
final class BufferCleaner {
    private static final MethodHandle INVOKE_CLEANER = invokeCleaner();

    private BufferCleaner() {}

    /** Frees a buffer, which must not be used afterwards. */
    static void clean(ByteBuffer buffer) {
        try {
            INVOKE_CLEANER.invoke(buffer);
        } catch (Throwable t) {
            throw new AssertionError("cannot free a direct buffer", t);
        }
    }

    private static MethodHandle invokeCleaner() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no sun.misc.Unsafe: " + e.getMessage(), e);
        }
    }
}
