package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.ffi.internal.ErrnoFunction;
import java.lang.invoke.MethodHandle;

/**
 * Programs that inherit descriptors of this process, which the JDK's processes do not. Addresses are native and belong
 * to the caller; strings end with NUL. Functions may be called from any thread, and return the C result when it is at
 * least 0, else the negated {@link Errno}.
 */
public final class LibCProcesses {
    private static final MethodHandle posix_spawnp = Downcalls.plain(
            "posix_spawnp", returnsInt(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final ErrnoFunction waitpid =
            Downcalls.withErrno("waitpid", returnsInt(JAVA_INT, JAVA_LONG, JAVA_INT));

    /** The bits of a status that hold the signal that ended the program: sys/wait.h, WTERMSIG. */
    private static final int SIGNAL_MASK = 0x7f;

    private static final int EXIT_CODE_MASK = 0xff;

    private LibCProcesses() {}

    /**
     * Calls posix_spawnp(3): starts a program of the PATH, with all descriptors that lack FD_CLOEXEC.
     *
     * @param pidAddress receives the process id: an int
     * @param argumentsAddress addresses of the arguments, the program's name first, and NULL
     * @param environmentAddress addresses of the variables, and NULL
     */
    public static int posixSpawnp(
            long pidAddress, long programAddress, long argumentsAddress, long environmentAddress) {
        try {
            return -(int) (long)
                    posix_spawnp.invokeExact(pidAddress, programAddress, 0L, 0L, argumentsAddress, environmentAddress);
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /**
     * Calls waitpid(2): waits until a program has ended, and forgets it.
     *
     * @param statusAddress receives the status: an int, for {@link #exitCode}
     */
    public static int waitpid(int pid, long statusAddress) {
        long capture = LibC.calloc(1, ErrnoFunction.ERRNO_BYTES);
        if (capture == 0) {
            throw new OutOfMemoryError("calloc refused " + ErrnoFunction.ERRNO_BYTES + " bytes for errno");
        }
        try {
            while (true) {
                int result = (int) waitpid.call(capture, pid, statusAddress, 0);
                int errno = Downcalls.errno(capture);
                if (result >= 0 || errno != Errno.EINTR) {
                    return result < 0 ? -errno : result;
                }
            }
        } finally {
            LibC.free(capture);
        }
    }

    /** Returns the exit code in a status, or the negated signal that ended the program. */
    public static int exitCode(int status) {
        int signal = status & SIGNAL_MASK;
        return signal == 0 ? status >> Byte.SIZE & EXIT_CODE_MASK : -signal;
    }
}
