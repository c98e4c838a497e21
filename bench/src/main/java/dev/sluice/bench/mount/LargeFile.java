package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One row that reads or writes a large file from its beginning to its end. */
record LargeFile(MountKind kind, Places places, Direction direction, long bytes) implements Treatment {
    /** The bytes read or written per elapsed time, with open and close. */
    static final Metric RATE = Metric.rate("megabytes_per_second", "MB/s");

    private static final int CALL_BYTES = 256 * 1024;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** The direction of the data. */
    enum Direction {
        READ,
        WRITE
    }

    @Override
    public Identity identity() {
        return kind.identity();
    }

    @Override
    public void start() throws IOException, InterruptedException {
        places.of(kind);
        if (direction == Direction.READ) {
            new Contents(CALL_BYTES).write(served(), bytes);
        }
    }

    private Path served() {
        return places.served().resolve("large-" + kind.name());
    }

    @Override
    public Sample round() throws IOException, InterruptedException {
        double seconds = direction == Direction.READ ? read() : write();
        return Sample.of(RATE, bytes / BYTES_PER_MEGABYTE / seconds);
    }

    private double read() throws IOException, InterruptedException {
        Contents contents = new Contents(CALL_BYTES);
        Path file = places.of(kind).directory().resolve(served().getFileName());
        places.of(kind).forget(file);
        long begin = System.nanoTime();
        contents.read(file, bytes);
        return (System.nanoTime() - begin) / NANOS_PER_SECOND;
    }

    /** Writes into a directory that no cache knows. */
    private double write() throws IOException, InterruptedException {
        Contents contents = new Contents(CALL_BYTES);
        Path directory = Files.createTempDirectory(places.served(), "written-");
        Path file = directory.resolve("file");
        Path reached = places.of(kind).directory().resolve(places.served().relativize(file));
        long begin = System.nanoTime();
        contents.write(reached, bytes);
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        contents.read(file, bytes);
        Files.delete(file);
        Files.delete(directory);
        return seconds;
    }

    @Override
    public void stop() {
        try {
            Files.deleteIfExists(served());
        } catch (IOException e) {
            throw new BenchException("cannot delete " + served() + ": " + e.getMessage(), e);
        }
    }
}
