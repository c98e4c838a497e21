package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.Output;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A directory through which the files of another one are reached. */
interface Place extends AutoCloseable {
    /** Returns the directory. */
    Path directory();

    /** Drops what the kernel keeps of a file's contents, if the place is a mount. */
    void forget(Path file) throws InterruptedException;

    /** Unmounts, and ends the processes. */
    @Override
    void close();

    /** Returns the served directory itself. */
    static Place local(Path served) {
        return new Place() {
            @Override
            public Path directory() {
                return served;
            }

            @Override
            public void forget(Path file) {
                // The page cache is the store of these files.
            }

            @Override
            public void close() {
                // Nothing is mounted.
            }
        };
    }

    /** Returns a mounted directory, whose processes end with it. */
    static Place mounted(Path directory, List<? extends AutoCloseable> processes) {
        return new Place() {
            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public void forget(Path file) throws InterruptedException {
                // POSIX_FADV_DONTNEED for the whole file.
                run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
            }

            @Override
            public void close() {
                try {
                    run("umount", "-l", directory.toString());
                    for (AutoCloseable process : processes) {
                        process.close();
                    }
                } catch (Exception e) {
                    throw new BenchException("cannot unmount " + directory + ": " + e.getMessage(), e);
                }
            }
        };
    }

    private static void run(String... command) throws InterruptedException {
        Output.of(List.of(command), Map.of());
    }
}
