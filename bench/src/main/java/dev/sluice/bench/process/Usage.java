package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What processes have used, from /proc. Sums over the processes given, such as a master and its workers. */
public final class Usage {
    private Usage() {}

    /**
     * CPU time, user and system, of all threads, ended ones included.
     *
     * @return nanoseconds, in steps of 10 ms for each process: compare over a second or more
     */
    public static long cpuNanos(List<Long> pids) {
        return pids.stream()
                .mapToLong(pid -> ProcFiles.cpuNanos(read(pid, "stat"), false))
                .sum();
    }

    /**
     * Private memory in user space: anonymous pages, each counted by the share that the process has in it, so that what
     * a master shares with its workers counts once. The kernel's socket buffers are not in it.
     *
     * @return bytes
     */
    public static long anonymousBytes(List<Long> pids) {
        return rollup(pids, "Pss_Anon");
    }

    /** Resident memory as an operator sees it, shared libraries by their share (Pss), in bytes. */
    public static long residentBytes(List<Long> pids) {
        return rollup(pids, "Pss");
    }

    private static long rollup(List<Long> pids, String key) {
        return pids.stream()
                .mapToLong(pid -> ProcFiles.kilobytes(read(pid, "smaps_rollup"), key))
                .sum();
    }

    private static String read(long pid, String file) {
        Path path = Path.of("/proc", Long.toString(pid), file);
        try {
            return ProcFiles.read(path);
        } catch (IOException e) {
            throw new BenchException(
                    "cannot read " + path + ": " + e.getMessage() + "; did the process end, or belong to another user?",
                    e);
        }
    }
}
