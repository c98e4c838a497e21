package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * The CPU time of other processes since boot: the machine's busy time, minus this process, its ended children and its
 * running descendants. Shows how quiet the machine was during a benchmark.
 */
public final class ForeignCpu implements LongSupplier {
    @Override
    public long getAsLong() {
        try {
            long family = ProcFiles.cpuNanos(ProcFiles.read(Path.of("/proc/self/stat")), true);
            for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
                family += ofDescendant(child.pid());
            }
            return ProcFiles.busyNanos(ProcFiles.read(Path.of("/proc/stat"))) - family;
        } catch (IOException e) {
            throw new BenchException("cannot read CPU times under /proc: " + e.getMessage(), e);
        }
    }

    private static long ofDescendant(long pid) throws IOException {
        try {
            return ProcFiles.cpuNanos(ProcFiles.read(Path.of("/proc", Long.toString(pid), "stat")), true);
        } catch (NoSuchFileException e) {
            return 0; // Ended meanwhile: now counted among its parent's reaped children.
        }
    }
}
