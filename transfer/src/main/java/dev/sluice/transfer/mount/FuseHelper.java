package dev.sluice.transfer.mount;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.DescriptorMessage;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.LibCProcesses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * The program fusermount3, which has the right to mount for any user: it opens the FUSE device, mounts, and passes the
 * descriptor over a socket whose number is in the environment. Its messages go to this process's standard error.
 */
final class FuseHelper {
    /** The program of libfuse. */
    static final FuseHelper INSTALLED = new FuseHelper("fusermount3");

    /** The variable with the number of the socket: lib/mount_util.c and util/fusermount.c of libfuse. */
    private static final String SOCKET_VARIABLE = "_FUSE_COMMFD";

    private static final String PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final String program;

    /** Uses a program of the PATH. */
    FuseHelper(String program) {
        this.program = program;
    }

    /**
     * Mounts.
     *
     * @return the descriptor of the device, which the caller closes; its reads do not block
     * @throws MountException when the program is absent, or refuses
     */
    int mount(String options, Path target) throws MountException {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            int result = libc.socketpair(Constants.AF_UNIX, Constants.SOCK_STREAM, 0, pair.address());
            if (result < 0) {
                throw new MountException("mount: no socket (" + Errno.describe(result) + "); raise the limit");
            }
            int ours = pair.get(ValueLayout.JAVA_INT, 0);
            int theirs = pair.get(ValueLayout.JAVA_INT, Integer.BYTES);
            libc.fcntl(ours, Constants.F_SETFD, Constants.FD_CLOEXEC);
            try {
                int pid = start(arena, List.of("-o", options, "--", target.toString()), theirs);
                libc.close(theirs);
                theirs = -1;
                int descriptor = receive(libc, arena, ours);
                int code = await(arena, pid);
                if (descriptor < 0) {
                    throw new MountException("mount: " + program + " refused to mount on " + target + " (exit code "
                            + code + "); its message stands above");
                }
                int flags = libc.fcntl(descriptor, Constants.F_GETFL, 0);
                libc.fcntl(descriptor, Constants.F_SETFL, flags | Constants.O_NONBLOCK);
                return descriptor;
            } finally {
                libc.close(ours);
                libc.close(theirs);
            }
        }
    }

    /** Ends a mount at once for new accesses; one that has ended already is no error. */
    void unmount(Path target) {
        try (Arena arena = Arena.ofConfined()) {
            await(arena, start(arena, List.of("-u", "-q", "-z", "--", target.toString()), -1));
        } catch (MountException e) {
            // The program was there to mount. Without it the mount stays until the device is closed.
        }
    }

    /**
     * Starts the program.
     *
     * @param socket the one that it inherits; -1 for none
     * @return the process id
     */
    private int start(Arena arena, List<String> arguments, int socket) throws MountException {
        MemorySegment pid = arena.allocate(Integer.BYTES, Integer.BYTES);
        MemorySegment name = arena.allocateFrom(program);
        MemorySegment line = arena.allocate((arguments.size() + 2L) * Long.BYTES, Long.BYTES);
        line.setAtIndex(ValueLayout.JAVA_LONG, 0, name.address());
        for (int i = 0; i < arguments.size(); i++) {
            line.setAtIndex(
                    ValueLayout.JAVA_LONG,
                    i + 1L,
                    arena.allocateFrom(arguments.get(i)).address());
        }
        MemorySegment environment = arena.allocate(3L * Long.BYTES, Long.BYTES);
        environment.setAtIndex(
                ValueLayout.JAVA_LONG, 0, arena.allocateFrom(PATH).address());
        if (socket >= 0) {
            environment.setAtIndex(
                    ValueLayout.JAVA_LONG,
                    1,
                    arena.allocateFrom(SOCKET_VARIABLE + "=" + socket).address());
        }
        int result = LibCProcesses.posixSpawnp(pid.address(), name.address(), line.address(), environment.address());
        if (result < 0) {
            throw new MountException("mount: cannot run " + program + ", which mounts for users other than root ("
                    + Errno.describe(result) + "); install it (Debian, Ubuntu: apt-get install fuse3; Fedora: dnf"
                    + " install fuse3), or mount as root");
        }
        return pid.get(ValueLayout.JAVA_INT, 0);
    }

    private static int await(Arena arena, int pid) {
        MemorySegment status = arena.allocate(Integer.BYTES, Integer.BYTES);
        int result = LibCProcesses.waitpid(pid, status.address());
        return result < 0 ? result : LibCProcesses.exitCode(status.get(ValueLayout.JAVA_INT, 0));
    }

    /** Receives the descriptor; -1 when the program ends without one. */
    private static int receive(LibC libc, Arena arena, int socket) {
        MemorySegment message = arena.allocate(DescriptorMessage.BYTES, Long.BYTES);
        MemorySegment bytes = arena.allocate(Long.BYTES);
        long count;
        do {
            DescriptorMessage.setForReceiving(message.address(), bytes.address(), 1);
            count = libc.recvmsg(socket, message.address(), Constants.MSG_CMSG_CLOEXEC);
        } while (count == -Errno.EINTR);
        int[] descriptors = count <= 0 ? new int[0] : DescriptorMessage.descriptors(message.address());
        return descriptors.length == 0 ? -1 : descriptors[0];
    }
}
