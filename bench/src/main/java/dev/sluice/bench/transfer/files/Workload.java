package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The contents of a round: one file, or a directory of small ones.
 *
 * @param name its name in the served directory
 * @param title its name for display
 * @param files the number of files
 * @param fileBytes the size of each
 */
record Workload(String name, String title, int files, int fileBytes, Contents contents) {
    /** The bytes of the files. */
    enum Contents {
        /** Random bytes, which nothing compresses. */
        RANDOM,
        /** Random hexadecimal digits, which compress to half of their size. */
        DIGITS;

        private void fill(byte[] block, SplittableRandom random) {
            random.nextBytes(block);
            for (int i = 0; this == DIGITS && i < block.length; i++) {
                block[i] = (byte) Character.forDigit(block[i] & 0xF, 16);
            }
        }
    }

    private static final int MEGABYTE = 1_000_000;
    private static final int SMALL_BYTES = 4096;
    private static final int FILES_PER_DIRECTORY = 1000;
    private static final int SEED = 17;

    /** Returns a workload of one file. */
    static Workload file(int megabytes) {
        String size = megabytes < 1000 ? megabytes + " MB" : megabytes / 1000 + " GB";
        return new Workload("file-" + megabytes + "m", "one file of " + size, 1, megabytes * MEGABYTE, Contents.RANDOM);
    }

    /** Returns a workload of one file that compresses to half of its size. */
    static Workload digits(int megabytes) {
        String title = "one file of " + megabytes + " MB of hexadecimal digits";
        return new Workload("digits-" + megabytes + "m", title, 1, megabytes * MEGABYTE, Contents.DIGITS);
    }

    /** Returns a workload of files of 4 KiB, 1,000 in a directory. */
    static Workload many(int files) {
        return new Workload(
                "many-" + files, String.format("%,d files of 4 KiB", files), files, SMALL_BYTES, Contents.RANDOM);
    }

    /** Returns the bytes of all files. */
    long bytes() {
        return (long) files * fileBytes;
    }

    /** Creates the files below a directory. */
    void create(Path root) {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] block = new byte[Math.min(fileBytes, MEGABYTE)];
        try {
            for (int i = 0; i < files; i++) {
                Path file = files == 1 ? root.resolve(name) : small(root, i);
                try (OutputStream out = Files.newOutputStream(file)) {
                    for (int written = 0; written < fileBytes; written += block.length) {
                        contents.fill(block, random);
                        out.write(block);
                    }
                }
            }
        } catch (IOException e) {
            throw new BenchException("cannot create the files to transfer: " + e.getMessage(), e);
        }
    }

    private Path small(Path root, int number) throws IOException {
        Path directory = root.resolve(name).resolve("directory" + number / FILES_PER_DIRECTORY);
        if (number % FILES_PER_DIRECTORY == 0) {
            Files.createDirectories(directory);
        }
        return directory.resolve("file" + number);
    }

    /**
     * Compares every byte of a copy with the original.
     *
     * @param root of the original
     * @param copy the directory that the workload was copied into
     * @throws BenchException when they differ
     */
    void verify(Path root, Path copy) {
        Path original = root.resolve(name);
        long compared = 0;
        try (Stream<Path> all = Files.walk(original)) {
            for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                Path other = copy.resolve(root.relativize(each).toString());
                if (!Files.isRegularFile(other) || Files.mismatch(each, other) >= 0) {
                    throw new BenchException("the copy differs: " + other);
                }
                compared++;
            }
        } catch (IOException e) {
            throw new BenchException("cannot compare the copy: " + e.getMessage(), e);
        }
        if (compared != files) {
            throw new BenchException("compared " + compared + " files instead of " + files);
        }
    }

    /** Deletes a directory with all that it contains. */
    static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new BenchException("cannot delete " + directory + ": " + e.getMessage(), e);
        }
    }
}
