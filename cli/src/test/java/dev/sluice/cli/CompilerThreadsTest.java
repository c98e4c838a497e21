package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class CompilerThreadsTest {
    /** The niceness in proc(5)'s stat, counted behind the name in parentheses, which may have spaces. */
    private static final int NICE_FIELD = 16;

    @Test
    void theyGiveWayAndNobodyElseDoes() throws IOException {
        List<Integer> before = niceness(false);
        try (LibC libc = new LibC()) {
            CompilerThreads.giveWay(libc);
        }

        assertThat(niceness(true)).isNotEmpty().containsOnly(CompilerThreads.NICE);
        assertThat(niceness(false)).isSubsetOf(before);
    }

    private static List<Integer> niceness(boolean compilers) throws IOException {
        List<Integer> found = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                String stat = stat(thread);
                int end = stat.lastIndexOf(')');
                if (end > 0 && stat.contains(" Compiler") == compilers) {
                    found.add(Integer.parseInt(stat.substring(end + 2).split(" ", -1)[NICE_FIELD]));
                }
            }
        }
        return found;
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException ended) {
            return "";
        }
    }
}
