package dev.sluice.testkit;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The reachable objects on the Java heap by class, as counted by the JVM.
 *
 * @param classes by name, such as {@code [I} for arrays of int
 */
public record LiveObjects(Map<String, Count> classes) {
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";

    /**
     * The objects of one class.
     *
     * @param instances number of objects
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

    /** Returns the histogram with the columns number, instances, bytes, class, module. */
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

    /** Returns the count of a class by name; zero for none. */
    public Count count(String className) {
        return classes.getOrDefault(className, Count.NONE);
    }
}
