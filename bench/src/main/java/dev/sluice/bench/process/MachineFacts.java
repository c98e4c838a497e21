package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The conditions of figures: machine, kernel and JVM. */
public final class MachineFacts {
    private MachineFacts() {}

    /** Returns the facts by name, in display order. */
    public static Map<String, String> gather() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("CPU", cpuModel() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put(
                "kernel",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("JDK", System.getProperty("java.vendor.version") + " (" + Runtime.version() + ")");
        facts.put("load average at start", loadAverage());
        return facts;
    }

    private static String cpuModel() {
        return line(Path.of("/proc/cpuinfo"), "model name").replaceFirst(".*:\\s*", "");
    }

    private static String loadAverage() {
        String line = line(Path.of("/proc/loadavg"), "");
        return String.join(
                " ", java.util.Arrays.asList(line.split(" ", -1)).subList(0, Math.min(3, line.split(" ", -1).length)));
    }

    private static String line(Path file, String start) {
        try {
            return ProcFiles.read(file)
                    .lines()
                    .filter(line -> line.startsWith(start))
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
