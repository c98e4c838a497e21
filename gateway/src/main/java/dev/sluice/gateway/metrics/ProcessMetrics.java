package dev.sluice.gateway.metrics;

import dev.sluice.ffi.libc.ProcessClock;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The metrics of the process and its JVM. The first call loads the JVM's management. */
public final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String RESIDENT = "VmRSS:";
    private static final String DESCRIPTOR_LIMIT = "Max open files";
    private static final long KIB = 1024;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private ProcessMetrics() {}

    /** Adds their current values; those that the system does not report are left out. */
    public static void collect(MetricSnapshot.Builder snapshot) {
        process(snapshot);
        memory(snapshot, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        memory(snapshot, "nonheap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            snapshot.add(Metric.JVM_GC_COLLECTIONS, collector.getCollectionCount(), collector.getName());
            snapshot.add(Metric.JVM_GC_TIME, collector.getCollectionTime() / MILLIS_PER_SECOND, collector.getName());
        }
        snapshot.add(Metric.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
        snapshot.info(
                Metric.JVM,
                System.getProperty("java.runtime.version", ""),
                System.getProperty("java.vm.vendor", ""),
                System.getProperty("java.runtime.name", ""));
    }

    private static void process(MetricSnapshot.Builder snapshot) {
        ProcessHandle own = ProcessHandle.current();
        snapshot.add(Metric.PROCESS_CPU, ProcessClock.cpuNanos(Math.toIntExact(own.pid())) / NANOS_PER_SECOND);
        add(snapshot, Metric.PROCESS_RESIDENT, number(STATUS, RESIDENT) * KIB);
        add(snapshot, Metric.PROCESS_OPEN_FDS, descriptors());
        add(snapshot, Metric.PROCESS_MAX_FDS, number(LIMITS, DESCRIPTOR_LIMIT));
        own.info()
                .startInstant()
                .ifPresent(start -> snapshot.add(Metric.PROCESS_START, start.toEpochMilli() / MILLIS_PER_SECOND));
    }

    private static void memory(MetricSnapshot.Builder snapshot, String area, MemoryUsage usage) {
        snapshot.add(Metric.JVM_MEMORY_USED, usage.getUsed(), area);
        snapshot.add(Metric.JVM_MEMORY_COMMITTED, usage.getCommitted(), area);
        add(snapshot, Metric.JVM_MEMORY_MAX, usage.getMax(), area);
    }

    /**
     * Adds a gauge.
     *
     * @param value negative if it is unknown
     */
    private static void add(MetricSnapshot.Builder snapshot, Metric metric, long value, String... labels) {
        if (value >= 0) {
            snapshot.add(metric, value, labels);
        }
    }

    /** Returns the first number after a line's prefix; -1 if there is none. */
    private static long number(Path file, String prefix) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.stream()
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip().split("\\s+", -1)[0])
                    .filter(text -> text.chars().allMatch(Character::isDigit))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns the number of open descriptors: as a file size on Linux 6.2 and later, else counted one by one. */
    private static long descriptors() {
        try {
            long size = Files.size(DESCRIPTORS);
            if (size > 0) {
                return size;
            }
            long count = 0;
            try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
                for (Path _ : all) {
                    count++;
                }
            }
            return count;
        } catch (IOException e) {
            return -1;
        }
    }
}
