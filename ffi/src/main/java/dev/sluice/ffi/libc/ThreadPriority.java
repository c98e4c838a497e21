package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.invoke.MethodHandle;

/** The priority of a thread among those of the machine: setpriority(2), which on Linux is each thread's own. */
public final class ThreadPriority {
    /** {@code PRIO_PROCESS} of sys/resource.h. */
    static final int PRIO_PROCESS = 0;

    /** The nice value of a thread that runs when nobody else wants to. */
    static final int LOWEST = 19;

    private static final int CALLING_THREAD = 0;
    private static final MethodHandle setpriority =
            Downcalls.plain("setpriority", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));

    private ThreadPriority() {}

    /**
     * Gives the calling thread, and the threads that it starts from now on, the lowest priority, for good.
     *
     * @return false when the system refuses
     */
    public static boolean lower() {
        try {
            return (int) (long) setpriority.invokeExact((long) PRIO_PROCESS, (long) CALLING_THREAD, (long) LOWEST) == 0;
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }
}
