package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.Identity;
import java.nio.file.Path;

/** A way to copy a workload from the served directory into another one. */
interface Mover extends AutoCloseable {
    /** Returns the identity. */
    Identity identity();

    /**
     * Starts its servers.
     *
     * @throws dev.sluice.bench.harness.BenchException when a program is missing, with the package that has it
     */
    void start() throws InterruptedException;

    /** Returns the time for which it copies before the first round, so that its code is compiled. */
    default long warmupNanos() {
        return 0;
    }

    /**
     * Copies a workload, and waits until its end.
     *
     * @param into an empty directory
     * @return the time that it takes in nanoseconds
     */
    long move(Workload workload, Path into) throws InterruptedException;

    /** Ends its servers. Idempotent. */
    @Override
    void close();
}
