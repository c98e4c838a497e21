package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;

/**
 * The priority of a thread among those of the machine: setpriority(2), which on Linux is each thread's own, and
 * sched_setscheduler(2).
 */
public final class ThreadPriority {
    /** {@code PRIO_PROCESS} of sys/resource.h. */
    static final int PRIO_PROCESS = 0;

    /** The nice value of a thread that runs when nobody else wants to. */
    static final int LOWEST = 19;

    /** {@code SCHED_IDLE} of linux/sched.h: for what runs when nobody else wants to, however long it waits. */
    static final int SCHED_IDLE = 5;

    private static final int CALLING_THREAD = 0;
    private static final MethodHandle setpriority =
            Downcalls.plain("setpriority", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));

    private static final MethodHandle setscheduler =
            Downcalls.plain("sched_setscheduler", returnsInt(JAVA_INT, JAVA_INT, JAVA_LONG));

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

    /**
     * Lets a thread run only while no other wants its core, for good; the threads that it starts from now on, too.
     *
     * @param threadId as in {@code /proc/self/task}
     * @return false when the system refuses, or there is no such thread
     */
    public static boolean onlySpareTime(int threadId) {
        try (Arena arena = Arena.ofConfined()) {
            long parameter = arena.allocate(JAVA_INT).address(); // struct sched_param: the priority, 0 for this policy
            return (int) (long) setscheduler.invokeExact((long) threadId, (long) SCHED_IDLE, parameter) == 0;
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }
}
