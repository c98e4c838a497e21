package dev.sluice.testkit;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What lies on the Java heap and is reachable, by class, as the JVM itself counts it.
 *
 * @param classes by name, such as {@code [I} for arrays of int
 */
public record LiveObjects(Map<String, Count> classes) {
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";

    /**
     * Of one class.
     *
     * @param instances how many objects
     * @param bytes with headers and padding, as this JVM lays objects out
     */
    public record Count(long instances, long bytes) {
        private static final Count NONE = new Count(0, 0);
    }

    /** Collects garbage and counts. */
    public static LiveObjects now() {
        Map<String, Count> classes = new TreeMap<>();
        histogram().lines().map(line -> line.trim().split(" +", -1)).forEach(words -> {
            if (words[0].matches("\\d+:")) {
                classes.put(words[3], new Count(Long.parseLong(words[1]), Long.parseLong(words[2])));
            }
        });
        return new LiveObjects(classes);
    }

    /** Columns: number, instances, bytes, class, module. */
    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(DIAGNOSTICS),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("this JVM has no class histogram", e);
        }
    }

    /** Of a class by name; nothing when there are none. */
    public Count count(String className) {
        return classes.getOrDefault(className, Count.NONE);
    }
}
