package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A program that is measured from its start to its end. */
final class TimedCommand {
    private TimedCommand() {}

    /**
     * Runs a program to its end.
     *
     * @param log file for its output
     * @return nanoseconds from its start
     * @throws BenchException when it fails
     */
    static long run(String name, List<String> command, Map<String, String> environment, Path log)
            throws InterruptedException {
        long begin = System.nanoTime();
        try (ManagedProcess process = ManagedProcess.start(name, command, environment, log)) {
            process.requireSuccess();
            return System.nanoTime() - begin;
        }
    }
}
