package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LibCProcessesTest {
    @Test
    void passesDescriptorsWithoutCloexecAndTheGivenEnvironment() {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
            assertThat(libc.socketpair(Constants.AF_UNIX, Constants.SOCK_STREAM, 0, pair.address()))
                    .isZero();
            int inherited = pair.get(ValueLayout.JAVA_INT, 0);
            int kept = pair.get(ValueLayout.JAVA_INT, Integer.BYTES);
            libc.fcntl(kept, Constants.F_SETFD, Constants.FD_CLOEXEC);
            String script = "test -S /dev/fd/" + inherited + " && test ! -e /dev/fd/" + kept
                    + " && test $WORD = sluice && exit 7";
            assertThat(run(arena, script)).isEqualTo(7);
            libc.close(inherited);
            libc.close(kept);
        }
    }

    @Test
    void reportsTheSignalThatEndedAProgram() {
        try (Arena arena = Arena.ofConfined()) {
            assertThat(run(arena, "kill -9 $$")).isEqualTo(-9);
        }
    }

    @Test
    void reportsAProgramThatIsNotThere() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pid = arena.allocate(Integer.BYTES, Integer.BYTES);
            long name = arena.allocateFrom("no-such-program-of-sluice").address();
            int result = LibCProcesses.posixSpawnp(pid.address(), name, list(arena, name), list(arena));
            assertThat(result).isEqualTo(-Errno.ENOENT);
        }
    }

    private static int run(Arena arena, String script) {
        MemorySegment number = arena.allocate(Integer.BYTES, Integer.BYTES);
        long shell = arena.allocateFrom("sh").address();
        long arguments = list(
                arena,
                shell,
                arena.allocateFrom("-c").address(),
                arena.allocateFrom(script).address());
        long environment = list(arena, arena.allocateFrom("WORD=sluice").address());
        assertThat(LibCProcesses.posixSpawnp(number.address(), shell, arguments, environment))
                .isZero();
        int pid = number.get(ValueLayout.JAVA_INT, 0);
        assertThat(LibCProcesses.waitpid(pid, number.address())).isEqualTo(pid);
        return LibCProcesses.exitCode(number.get(ValueLayout.JAVA_INT, 0));
    }

    private static long list(Arena arena, long... addresses) {
        MemorySegment list = arena.allocate((addresses.length + 1L) * Long.BYTES, Long.BYTES);
        for (int i = 0; i < addresses.length; i++) {
            list.setAtIndex(ValueLayout.JAVA_LONG, i, addresses[i]);
        }
        return list.address();
    }
}
