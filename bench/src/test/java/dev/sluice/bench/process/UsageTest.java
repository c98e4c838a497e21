package dev.sluice.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageTest {
    @TempDir
    Path directory;

    @Test
    void thisProcessHasUsedResources() {
        List<Long> self = List.of(ProcessHandle.current().pid());
        assertThat(Usage.cpuNanos(self)).isPositive();
        assertThat(Usage.anonymousBytes(self)).isPositive().isLessThanOrEqualTo(Usage.residentBytes(self));
    }

    /** Checks that this JVM has compiled something by now, and a shell never does. */
    @Test
    void findsCompilersByTheirThreads() throws Exception {
        List<Long> self = List.of(ProcessHandle.current().pid());
        assertThat(Usage.compilerNanos(self)).isPositive().isLessThan(Usage.cpuNanos(self));
        try (ManagedProcess shell =
                ManagedProcess.start("shell", List.of("sleep", "60"), Map.of(), directory.resolve("log"))) {
            assertThat(Usage.compilerNanos(shell.tree())).isZero();
        }
    }

    @Test
    void treeIncludesChildrenAndCloseEndsThemAll() throws Exception {
        ManagedProcess shell = ManagedProcess.start(
                "shell", List.of("sh", "-c", "sleep 60 & echo up; wait"), Map.of(), directory.resolve("log"));
        List<Long> tree;
        try (shell) {
            while (!shell.logTail().contains("up")) {
                Thread.sleep(5);
                shell.requireAlive();
            }
            tree = shell.tree();
            assertThat(tree).hasSize(2).startsWith(shell.pid());
        }
        for (long pid : tree) {
            // A killed grandchild may stay a zombie until init reaps it, but is not running.
            ProcessHandle.of(pid).ifPresent(handle -> handle.onExit().join());
        }
        assertThat(shell.alive()).isFalse();
    }

    @Test
    void anEndedProcessReportsItsLastOutput() throws Exception {
        try (ManagedProcess shell = ManagedProcess.start(
                "shell", List.of("sh", "-c", "echo no such luck; exit 7"), Map.of(), directory.resolve("log"))) {
            while (shell.alive()) {
                Thread.sleep(5);
            }
            assertThatThrownBy(shell::requireAlive)
                    .isInstanceOf(BenchException.class)
                    .hasMessage("shell ended with exit code 7:\nno such luck");
        }
    }

    @Test
    void aMissingProgramNamesThePackage() {
        Program absent = new Program("no-such-program-here", "some-package");
        assertThat(absent.find()).isEmpty();
        assertThat(absent.missing()).contains("no-such-program-here", "apt-get install some-package");
    }

    @Test
    void readsTheMemoryOfTheKernel() {
        assertThat(Usage.kernelBytes()).isPositive();
    }

    @Test
    void foreignCpuExcludesOurs() {
        long before = new ForeignCpu().getAsLong();
        assertThat(before).isPositive();
    }
}
