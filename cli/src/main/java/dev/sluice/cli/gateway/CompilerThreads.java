package dev.sluice.cli.gateway;

import dev.sluice.ffi.libc.ThreadPriority;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The threads of the JVM's optimizing compiler, C2. On a core that is never idle each of its turns lasts until the
 * kernel's clock ticks, up to 4 ms, for which all connections of a loop wait; what it compiles after the warm-up is not
 * urgent.
 */
final class CompilerThreads {
    /** The start of their names, of which the kernel keeps 15 bytes. */
    private static final String C2 = "C2 Compiler";

    private CompilerThreads() {}

    /**
     * Lets them run only while no other thread wants their core, from now on and for good.
     *
     * @return how many there are of which the system has not refused it
     */
    static int leaveSpareTime() throws IOException {
        int left = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                if (isC2(thread)
                        && ThreadPriority.onlySpareTime(
                                Integer.parseInt(thread.getFileName().toString()))) {
                    left++;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return left;
    }

    private static boolean isC2(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(C2);
        } catch (IOException ended) {
            return false;
        }
    }
}
