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

    @Test
    void theConstantIsTheHeaders() {
        CProbe probe = new CProbe("sys/resource.h").ask("(int) PRIO_PROCESS");
        assertThat(probe.answers().get("(int) PRIO_PROCESS")).isEqualTo((long) ThreadPriority.PRIO_PROCESS);
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

    private static int nice() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] behindName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(behindName[NICE_FIELD - 3]);
    }
}
