package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One way to copy one workload.
 *
 * @param root the directory that has the workload
 * @param scratch an empty directory; a round copies into a new one in it
 */
record MoveTreatment(Mover mover, Workload workload, Path root, Path scratch) implements Treatment {
    /** Time from the start to the end. */
    static final Metric SECONDS = Metric.cost("seconds", "s");

    /** The bytes of contents per time. */
    static final Metric RATE = Metric.rate("megabytes_per_second", "MB/s");

    /** The files per time. */
    static final Metric FILES = Metric.rate("files_per_second", "files/s");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    @Override
    public Identity identity() {
        return mover.identity();
    }

    @Override
    public void start() throws InterruptedException {
        mover.start();
        long end = System.nanoTime() + mover.warmupNanos();
        while (System.nanoTime() < end) {
            Path into = newDirectory();
            mover.move(workload, into);
            discard(into);
        }
    }

    @Override
    public Sample round() throws InterruptedException {
        Path into = newDirectory();
        double seconds = mover.move(workload, into) / NANOS_PER_SECOND;
        workload.verify(root, into);
        discard(into);
        return Sample.of(SECONDS, seconds)
                .with(RATE, workload.bytes() / BYTES_PER_MEGABYTE / seconds)
                .with(FILES, workload.files() / seconds);
    }

    /** Deletes a copy; of many files it stays: ext4 searches long for inodes while many were deleted lately. */
    private void discard(Path copy) {
        if (workload.files() == 1) {
            Workload.delete(copy);
        }
    }

    private Path newDirectory() {
        try {
            return Files.createTempDirectory(scratch, "copy");
        } catch (IOException e) {
            throw new BenchException("cannot create a directory: " + e.getMessage(), e);
        }
    }

    @Override
    public void stop() {
        mover.close();
    }
}
