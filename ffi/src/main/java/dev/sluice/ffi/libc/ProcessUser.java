package dev.sluice.ffi.libc;

import static dev.sluice.ffi.libc.Downcalls.returnsInt;
import static dev.sluice.ffi.libc.Downcalls.returnsLong;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sluice.ffi.internal.ErrnoFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The user that this process runs as, and the change from root to another: credentials(7), capabilities(7). For the
 * start of a process, by one thread: what it starts afterwards inherits its one capability.
 */
public final class ProcessUser {
    /** {@code offsetof(struct passwd, pw_uid)} of pwd.h. */
    static final int PASSWD_UID_OFFSET = 16;

    /** {@code offsetof(struct passwd, pw_gid)}. */
    static final int PASSWD_GID_OFFSET = 20;

    /** {@code PR_SET_KEEPCAPS} of linux/prctl.h. */
    static final int PR_SET_KEEPCAPS = 8;

    /** {@code _LINUX_CAPABILITY_VERSION_3} of linux/capability.h: two words of each set. */
    static final int CAPABILITY_VERSION = 0x20080522;

    /** {@code CAP_NET_BIND_SERVICE}: ports below 1024. */
    static final int CAP_NET_BIND_SERVICE = 10;

    /** {@code sizeof(struct __user_cap_header_struct)}. */
    static final int CAPABILITY_HEADER_BYTES = 8;

    /** {@code sizeof(struct __user_cap_data_struct)}: effective, permitted, inheritable. */
    static final int CAPABILITY_DATA_BYTES = 12;

    private static final int CAPABILITY_WORDS = 2;
    private static final int ROOT = 0;

    private static final MethodHandle geteuid = Downcalls.plain("geteuid", returnsInt());
    private static final MethodHandle getpwnam = Downcalls.plain("getpwnam", returnsLong(JAVA_LONG));
    private static final ErrnoFunction initgroups = Downcalls.withErrno("initgroups", returnsInt(JAVA_LONG, JAVA_INT));
    private static final ErrnoFunction setresgid =
            Downcalls.withErrno("setresgid", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final ErrnoFunction setresuid =
            Downcalls.withErrno("setresuid", returnsInt(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final ErrnoFunction prctl = Downcalls.variadicWithErrno("prctl", returnsInt(JAVA_INT, JAVA_LONG), 1);
    private static final ErrnoFunction capset = Downcalls.withErrno("capset", returnsInt(JAVA_LONG, JAVA_LONG));

    private ProcessUser() {}

    /**
     * A user of this machine.
     *
     * @param name its name
     * @param uid its number
     * @param gid the number of its first group
     */
    public record Account(String name, int uid, int gid) {}

    /** A system call of the change that failed. */
    public static final class ChangeException extends Exception {
        private static final long serialVersionUID = 1L;

        private ChangeException(String call, int errno) {
            super(call + " failed: " + Errno.describe(errno));
        }
    }

    /** Returns the number of the user that this process runs as. */
    public static int uid() {
        try {
            return (int) (long) geteuid.invokeExact();
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /** Returns whether this process runs as root. */
    public static boolean isRoot() {
        return uid() == ROOT;
    }

    /** Finds a user by getpwnam(3); null when there is none of that name. */
    public static @Nullable Account find(String name) {
        try (Arena arena = Arena.ofConfined()) {
            long entry = (long) getpwnam.invokeExact(arena.allocateFrom(name).address());
            return entry == 0
                    ? null
                    : new Account(
                            name,
                            RawMemory.getInt(entry + PASSWD_UID_OFFSET),
                            RawMemory.getInt(entry + PASSWD_GID_OFFSET));
        } catch (Throwable t) {
            throw Downcalls.unexpected(t);
        }
    }

    /**
     * Makes a process of root one of another user, with that user's groups, for good. glibc changes all threads. The
     * calling thread, and those that it starts from now on, keep the capability to bind ports below 1024; the others
     * keep none.
     *
     * @throws ChangeException when the system refuses; the process must then end, as it may have changed in part
     */
    public static void become(Account account) throws ChangeException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ErrnoFunction.ERRNO_BYTES, Integer.BYTES);
            long capture = errno.address();
            int uid = account.uid();
            int gid = account.gid();
            require("prctl(PR_SET_KEEPCAPS)", errno, prctl.call(capture, PR_SET_KEEPCAPS, 1L));
            long name = arena.allocateFrom(account.name()).address();
            require("initgroups", errno, initgroups.call(capture, name, gid));
            require("setresgid", errno, setresgid.call(capture, gid, gid, gid));
            require("setresuid", errno, setresuid.call(capture, uid, uid, uid));
            require(
                    "capset",
                    errno,
                    capset.call(
                            capture, header(arena).address(), onlyBinding(arena).address()));
            require("prctl(PR_SET_KEEPCAPS)", errno, prctl.call(capture, PR_SET_KEEPCAPS, 0L));
        }
    }

    private static void require(String call, MemorySegment errno, long result) throws ChangeException {
        if ((int) result < 0) {
            throw new ChangeException(call, errno.get(ValueLayout.JAVA_INT, 0));
        }
    }

    private static MemorySegment header(Arena arena) {
        MemorySegment header = arena.allocate(CAPABILITY_HEADER_BYTES, Integer.BYTES);
        header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION); // and 0: the calling thread
        return header;
    }

    /** Returns sets whose effective and permitted ones hold one capability, and whose inheritable one holds none. */
    private static MemorySegment onlyBinding(Arena arena) {
        MemorySegment sets = arena.allocate((long) CAPABILITY_WORDS * CAPABILITY_DATA_BYTES, Integer.BYTES);
        sets.set(ValueLayout.JAVA_INT, 0, 1 << CAP_NET_BIND_SERVICE);
        sets.set(ValueLayout.JAVA_INT, Integer.BYTES, 1 << CAP_NET_BIND_SERVICE);
        return sets;
    }
}
