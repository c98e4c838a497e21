package dev.sluice.bench.terminator;

import dev.sluice.bench.process.Usage;
import java.util.List;

/**
 * CPU times, in nanoseconds.
 *
 * @param server the server's, all its processes
 * @param compiler the part of it that the JVM's JIT compiler took; 0 where there is none
 * @param load the load generator's, the backend's included
 */
record CpuTimes(double server, double compiler, double load) {
    /** Up to now. */
    static CpuTimes now(List<Long> server, long load) {
        return new CpuTimes(Usage.cpuNanos(server), Usage.compilerNanos(server), Usage.cpuNanos(List.of(load)));
    }

    /** From an earlier moment to this. */
    CpuTimes since(CpuTimes earlier) {
        return new CpuTimes(server - earlier.server, compiler - earlier.compiler, load - earlier.load);
    }
}
