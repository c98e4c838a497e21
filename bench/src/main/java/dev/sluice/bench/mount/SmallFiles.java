package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Treatment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * One row that creates, inspects and reads small files, one after another: each step waits for round trips. The files
 * that are inspected and read are new on the other side in each round, so that no cache knows them.
 */
record SmallFiles(MountKind kind, Places places, int count) implements Treatment {
    /** The time to create, write and close a file. */
    static final Metric CREATE = Metric.cost("create_micros", "create µs/file").withRatio();

    /** The time to read the attributes of a file that is not cached. */
    static final Metric STAT = Metric.cost("stat_micros", "stat µs/file").withRatio();

    /** The time to open, read and close a file that is not cached. */
    static final Metric READ = Metric.cost("read_micros", "read µs/file").withRatio();

    private static final int FILE_BYTES = 4096;
    private static final double NANOS_PER_MICRO = 1e3;

    /** A step with one file. */
    @FunctionalInterface
    private interface Step {
        void on(Path file) throws IOException;
    }

    @Override
    public Identity identity() {
        return kind.identity();
    }

    @Override
    public void start() throws IOException, InterruptedException {
        places.of(kind);
    }

    @Override
    public Sample round() throws IOException, InterruptedException {
        byte[] contents = new byte[FILE_BYTES];
        Arrays.fill(contents, (byte) count);
        Path created = Files.createTempDirectory(places.served(), "created-");
        Path present = Files.createTempDirectory(places.served(), "present-");
        micros(present, file -> Files.write(file, contents));
        Path directory = places.of(kind).directory();
        double create = micros(directory.resolve(created.getFileName()), file -> Files.write(file, contents));
        micros(created, file -> check(file, contents));
        double stat = micros(directory.resolve(present.getFileName()), Files::size);
        double read = micros(directory.resolve(present.getFileName()), file -> check(file, contents));
        delete(created);
        delete(present);
        return Sample.of(CREATE, create).with(STAT, stat).with(READ, read);
    }

    private double micros(Path directory, Step step) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            step.on(directory.resolve("file-" + i));
        }
        return (System.nanoTime() - begin) / NANOS_PER_MICRO / count;
    }

    private static void check(Path file, byte[] contents) throws IOException {
        if (!Arrays.equals(Files.readAllBytes(file), contents)) {
            throw new BenchException("read other bytes than were written, file=" + file);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
