package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the compilers' priority, at this JVM's own: what other tests see of it is that they wait a little. */
class CompilerThreadsTest {
    private static final String SCHED_IDLE = "5";
    private static final int POLICY = 41 - 3; // of proc_pid_stat(5), behind the name

    @Test
    void leavesSpareTimeToC2Alone() throws IOException {
        assertThat(CompilerThreads.leaveSpareTime()).isPositive();

        assertThat(policies("(C2 Compiler")).isNotEmpty().containsOnly(SCHED_IDLE);
        assertThat(policies("(C1 Compiler")).isNotEmpty().doesNotContain(SCHED_IDLE);
    }

    private static Stream<String> policies(String name) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.map(CompilerThreadsTest::stat).filter(stat -> stat.contains(name)).toList().stream()
                    .map(stat -> stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[POLICY]);
        }
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            return ""; // it has ended
        }
    }
}
