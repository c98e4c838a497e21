package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * The CPU-time clock of another process, in nanoseconds: user and system time of all its threads, ended ones included.
 * /proc/PID/stat reports the same in steps of 10 ms.
 */
public final class ProcessClock {
    private static final MethodHandle clock_getcpuclockid =
            Downcalls.plain("clock_getcpuclockid", returnsInt(JAVA_INT, JAVA_LONG));
    private static final MethodHandle clock_gettime = Downcalls.plain("clock_gettime", returnsInt(JAVA_INT, JAVA_LONG));

    private ProcessClock() {}

    /**
     * Returns the CPU time of a process.
     *
     * @return nanoseconds, or a negative number when there is no such process
     */
    public static long cpuNanos(int pid) {
        long scratch = LibC.calloc(1, Timespec.BYTES);
        if (scratch == 0) {
            throw new OutOfMemoryError("calloc refused " + Timespec.BYTES + " bytes for a timespec");
        }
        try {
            return cpuNanos(pid, scratch);
        } finally {
            LibC.free(scratch);
        }
    }

    /** Reads the CPU time of a process. The scratch memory holds the clockid_t (an int), then the time. */
    private static long cpuNanos(int pid, long scratch) {
        try {
            if ((int) (long) clock_getcpuclockid.invokeExact((long) pid, scratch) != 0) {
                return -1;
            }
            int clock = RawMemory.getInt(scratch);
            return (int) (long) clock_gettime.invokeExact((long) clock, scratch) == 0 ? Timespec.nanos(scratch) : -1;
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }
}
