package dev.sluice.bench.record.path;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** A counter of this JVM's garbage collections; the pauses of a concurrent cycle are part of it. */
final class CollectionCounter {
    /** ZGC and Shenandoah count each pause of a cycle in a bean of its own. */
    private static final String PAUSES = " Pauses";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(collector -> !collector.getName().endsWith(PAUSES))
            .toList();

    /** Returns the collections since the JVM's start. */
    long count() {
        long count = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            count += collector.getCollectionCount();
        }
        return count;
    }
}
