package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.ffi.libc.ProcessClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resource usage of processes, as accounted by the kernel. Sums over the given processes, such as a master and its
 * workers.
 */
public final class Usage {
    /** "C1 CompilerThread0" and "C2 CompilerThread0", truncated by the kernel to 15 characters. */
    private static final Pattern COMPILER_THREAD = Pattern.compile("C[12] Compiler");

    private Usage() {}

    /**
     * Returns the CPU time, user and system, of all threads, including ended ones.
     *
     * @return nanoseconds
     */
    public static long cpuNanos(List<Long> pids) {
        return pids.stream().mapToLong(Usage::cpuNanos).sum();
    }

    /**
     * Returns the CPU time of a JVM's running JIT compiler threads. 0 for other processes, and where the kernel does
     * not report thread times.
     *
     * @return nanoseconds
     */
    public static long compilerNanos(List<Long> pids) {
        return pids.stream().mapToLong(Usage::compilerNanos).sum();
    }

    private static long compilerNanos(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.mapToLong(Usage::nanosIfCompiler).sum();
        } catch (IOException e) {
            throw new BenchException("cannot list the threads of process " + pid + ": " + e.getMessage(), e);
        }
    }

    private static long nanosIfCompiler(Path thread) {
        try {
            String name = ProcFiles.threadName(ProcFiles.read(thread.resolve("stat")));
            return COMPILER_THREAD.matcher(name).lookingAt()
                    ? ProcFiles.runNanos(ProcFiles.read(thread.resolve("schedstat")))
                    : 0;
        } catch (IOException e) {
            return 0; // The thread has ended meanwhile.
        }
    }

    /**
     * Returns the private user-space memory: anonymous pages by proportional share, so that pages shared between a
     * master and its workers count once. Excludes the kernel's socket buffers.
     *
     * @return bytes
     */
    public static long anonymousBytes(List<Long> pids) {
        return rollup(pids, "Pss_Anon");
    }

    /**
     * Returns the resident memory as an operator sees it: all anonymous pages, plus the file pages (code, libraries) of
     * the process with the most, since a server's processes map the same files. Not the proportional share (Pss), which
     * shrinks with every other JVM on the machine.
     *
     * @return bytes
     */
    public static long residentBytes(List<Long> pids) {
        long files = pids.stream()
                .map(pid -> read(pid, "smaps_rollup"))
                .mapToLong(text -> ProcFiles.kilobytes(text, "Rss") - ProcFiles.kilobytes(text, "Anonymous"))
                .max()
                .orElse(0);
        return anonymousBytes(pids) + files;
    }

    /** Returns the number of descriptors that a process has open. */
    public static long descriptors(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new BenchException("cannot list the descriptors of process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** Returns the most resident memory that a process has had, in bytes. */
    public static long peakResidentBytes(long pid) {
        return ProcFiles.kilobytes(read(pid, "status"), "VmHWM");
    }

    /**
     * Returns the memory of the kernel's objects on the whole machine: sockets, files, inodes, pending operations, and
     * what it caches of them.
     *
     * @return bytes
     */
    public static long kernelBytes() {
        return ProcFiles.kilobytes(read(Path.of("/proc/meminfo")), "Slab");
    }

    /** Returns the hard limit of open descriptors, which child processes inherit. */
    public static long descriptorLimit() {
        return ProcFiles.hardLimit(read(ProcessHandle.current().pid(), "limits"), "Max open files");
    }

    private static long cpuNanos(long pid) {
        long nanos = ProcessClock.cpuNanos(Math.toIntExact(pid));
        if (nanos < 0) {
            throw new BenchException("process " + pid + " has no CPU clock: it has ended");
        }
        return nanos;
    }

    private static long rollup(List<Long> pids, String key) {
        return pids.stream()
                .mapToLong(pid -> ProcFiles.kilobytes(read(pid, "smaps_rollup"), key))
                .sum();
    }

    private static String read(long pid, String file) {
        return read(Path.of("/proc", Long.toString(pid), file));
    }

    private static String read(Path path) {
        try {
            return ProcFiles.read(path);
        } catch (IOException e) {
            throw new BenchException(
                    "cannot read " + path + ": " + e.getMessage() + "; the process may have ended, or belong to "
                            + "another user",
                    e);
        }
    }
}
