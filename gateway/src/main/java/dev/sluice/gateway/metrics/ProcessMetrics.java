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

/** The process and its JVM, under the names that other programs use too. The first call loads the JVM's management. */
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

    /** Reads them now. What the system does not tell is left out. */
    public static void collect(PageBuilder page) {
        process(page);
        memory(page, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        memory(page, "nonheap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            page.add(Metric.JVM_GC_COLLECTIONS, collector.getCollectionCount(), collector.getName());
            page.add(Metric.JVM_GC_TIME, collector.getCollectionTime() / MILLIS_PER_SECOND, collector.getName());
        }
        page.add(Metric.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
        page.info(
                Metric.JVM,
                System.getProperty("java.runtime.version", ""),
                System.getProperty("java.vm.vendor", ""),
                System.getProperty("java.runtime.name", ""));
    }

    private static void process(PageBuilder page) {
        ProcessHandle own = ProcessHandle.current();
        page.add(Metric.PROCESS_CPU, ProcessClock.cpuNanos(Math.toIntExact(own.pid())) / NANOS_PER_SECOND);
        add(page, Metric.PROCESS_RESIDENT, number(STATUS, RESIDENT) * KIB);
        add(page, Metric.PROCESS_OPEN_FDS, descriptors());
        add(page, Metric.PROCESS_MAX_FDS, number(LIMITS, DESCRIPTOR_LIMIT));
        own.info()
                .startInstant()
                .ifPresent(start -> page.add(Metric.PROCESS_START, start.toEpochMilli() / MILLIS_PER_SECOND));
    }

    private static void memory(PageBuilder page, String area, MemoryUsage usage) {
        page.add(Metric.JVM_MEMORY_USED, usage.getUsed(), area);
        page.add(Metric.JVM_MEMORY_COMMITTED, usage.getCommitted(), area);
        add(page, Metric.JVM_MEMORY_MAX, usage.getMax(), area);
    }

    /** @param value negative when it is not known */
    private static void add(PageBuilder page, Metric metric, long value, String... labels) {
        if (value >= 0) {
            page.add(metric, value, labels);
        }
    }

    /** The first number behind a line's beginning; -1 when there is none. */
    private static long number(Path file, String beginning) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.stream()
                    .filter(line -> line.startsWith(beginning))
                    .map(line -> line.substring(beginning.length()).strip().split("\\s+", -1)[0])
                    .filter(text -> text.chars().allMatch(Character::isDigit))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Linux 6.2 and later tell it at once; else it is counted, one by one. */
    private static long descriptors() {
        try {
            long told = Files.size(DESCRIPTORS);
            if (told > 0) {
                return told;
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
