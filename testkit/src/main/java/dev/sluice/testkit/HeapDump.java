package dev.sluice.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A dump of this process's Java heap, including garbage, in a file that is deleted on close.
 *
 * @param file in the HPROF format, which keeps the memory representation of arrays and strings
 */
public record HeapDump(Path file) implements AutoCloseable {
    /** Takes a dump. */
    public static HeapDump take(Path directory) {
        Path file = directory.resolve("heap.hprof");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), false);
        } catch (IOException e) {
            throw new UncheckedIOException("no heap dump in " + file + "; check the free space on its disk", e);
        }
        return new HeapDump(file);
    }

    /** Deletes the file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the heap dump cannot be deleted: " + file, e);
        }
    }
}
