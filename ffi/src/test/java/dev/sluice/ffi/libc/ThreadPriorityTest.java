package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadPriorityTest {
    private static final int NICE_FIELD = 19; // of proc_pid_stat(5)

    private static final int POLICY_FIELD = 41;

    @Test
    void theConstantsAreTheHeaders() {
        CProbe probe = new CProbe("sys/resource.h", "linux/sched.h")
                .ask("(int) PRIO_PROCESS")
                .ask("SCHED_IDLE");
        assertThat(probe.answers())
                .containsEntry("(int) PRIO_PROCESS", (long) ThreadPriority.PRIO_PROCESS)
                .containsEntry("SCHED_IDLE", (long) ThreadPriority.SCHED_IDLE);
    }

    @Test
    void leavesAnotherThreadOnlySpareTime() throws IOException, InterruptedException {
        CompletableFuture<Integer> threadId = new CompletableFuture<>();
        CompletableFuture<Void> looked = new CompletableFuture<>();
        Thread other = Thread.ofPlatform().start(() -> {
            threadId.complete(idHere());
            looked.join();
        });
        int before = policy(idHere());

        assertThat(ThreadPriority.onlySpareTime(threadId.join())).isTrue();

        assertThat(policy(threadId.join())).isEqualTo(ThreadPriority.SCHED_IDLE);
        assertThat(policy(idHere())).isEqualTo(before);
        looked.complete(null);
        other.join();
        assertThat(ThreadPriority.onlySpareTime(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void lowersTheThreadAndThoseThatItStarts() throws IOException {
        int before = nice();
        CompletableFuture<int[]> nices = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            if (!ThreadPriority.lower()) {
                nices.complete(new int[0]);
                return;
            }
            int own = niceHere();
            Thread.ofPlatform().start(() -> nices.complete(new int[] {own, niceHere()}));
        });
        assertThat(nices.join()).containsExactly(ThreadPriority.LOWEST, ThreadPriority.LOWEST);
        assertThat(nice()).isEqualTo(before);
    }

    private static int niceHere() {
        try {
            return nice();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int idHere() {
        try {
            return Integer.parseInt(
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int nice() throws IOException {
        return field(Path.of("/proc/thread-self/stat"), NICE_FIELD);
    }

    private static int policy(int threadId) throws IOException {
        return field(Path.of("/proc/self/task/" + threadId + "/stat"), POLICY_FIELD);
    }

    private static int field(Path file, int number) throws IOException {
        String stat = Files.readString(file);
        String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(behindName[number - 3]);
    }
}
