package dev.sluice.cli;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Kernel;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The JVM's JIT compilers. They are busiest in the first minutes, and with as many event loops as processors they have to share
 * one with a loop, whose connections then wait for the kernel to take turns: for milliseconds, where a message takes some
 * microseconds. So they are given a lower priority: they get what the loops leave, and a tenth of a processor at least.
 */
final class CompilerThreads {
    /** Niceness: a ninth of the weight of a thread with 0 (sched(7), sched_prio_to_weight in the kernel). */
    static final int NICE = 10;

    private static final Path THREADS = Path.of("/proc/self/task");

    private CompilerThreads() {}

    /** Lets them give way. No right is needed for that (setpriority(2)); where it fails, all stays as it was. */
    static void giveWay(Kernel kernel) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                if (isCompiler(thread)) {
                    int id = Integer.parseInt(thread.getFileName().toString());
                    kernel.syscall(Constants.SYS_setpriority, Constants.PRIO_PROCESS, id, NICE, 0, 0, 0);
                }
            }
        } catch (IOException e) {
            // No /proc: an odd container, in which they stay as they are.
        }
    }

    /** By the names that HotSpot gives its threads, of which the kernel keeps 15 characters. */
    private static boolean isCompiler(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
        } catch (IOException ended) {
            return false;
        }
    }
}
