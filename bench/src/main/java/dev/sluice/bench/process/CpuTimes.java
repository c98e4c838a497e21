package dev.sluice.bench.process;

import java.util.List;

/**
 * CPU times of a server and of its load, in nanoseconds.
 *
 * @param server CPU time of all processes of the server
 * @param compiler the JIT compiler's part of it; 0 without a JVM
 * @param load CPU time of the load generator, including the backend
 */
public record CpuTimes(double server, double compiler, double load) {
    /** Returns the CPU times so far. */
    public static CpuTimes now(List<Long> server, long load) {
        return new CpuTimes(Usage.cpuNanos(server), Usage.compilerNanos(server), Usage.cpuNanos(List.of(load)));
    }

    /** Returns the CPU times since an earlier moment. */
    public CpuTimes since(CpuTimes earlier) {
        return new CpuTimes(server - earlier.server, compiler - earlier.compiler, load - earlier.load);
    }
}
