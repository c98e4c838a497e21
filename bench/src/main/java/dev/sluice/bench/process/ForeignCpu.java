package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * CPU time that others have used since boot: all that the machine was busy, less this process, its children that ended
 * and its descendants that run. How quiet a benchmark's machine was can be told from it.
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
            return 0; // Ended meanwhile: from now on it is among its parent's reaped children.
        }
    }
}
