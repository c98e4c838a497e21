package dev.sluice.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Facts about this machine from /proc; empty where it is absent. */
final class Machine {
    private static final Path PROC = Path.of("/proc");

    private final List<String> processor = lines(PROC.resolve("cpuinfo"));
    private final List<String> limits = lines(PROC.resolve("self/limits"));

    /** Returns the flags of the first processor, in Linux's names. */
    Set<String> processorFeatures() {
        String flags = first("flags");
        String features = flags.isEmpty() ? first("Features") : flags;
        return new HashSet<>(Arrays.asList(features.split("\\s+", -1)));
    }

    String processorModel() {
        String model = first("model name");
        return model.isEmpty() ? System.getProperty("os.arch") : model;
    }

    /** Returns a sysctl value by its path; "" if unknown. */
    String setting(String path) {
        List<String> lines = lines(PROC.resolve("sys").resolve(path));
        return lines.isEmpty() ? "" : lines.getFirst().strip();
    }

    /** Returns a limit of this process by its name in /proc/self/limits. */
    Limit limit(String name) {
        for (String line : limits) {
            if (line.startsWith(name)) {
                String[] fields = line.substring(name.length()).strip().split("\\s+", -1);
                return new Limit(number(fields[0]), number(fields[1]));
            }
        }
        return new Limit(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private static long number(String field) {
        return field.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(field);
    }

    private String first(String key) {
        return processor.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * A limit.
     *
     * @param soft the limit in force
     * @param hard the maximum for the limit in force
     */
    record Limit(long soft, long hard) {
        String text() {
            return one(soft) + ", at most " + one(hard);
        }

        private static String one(long value) {
            return value == Long.MAX_VALUE ? "unlimited" : String.valueOf(value);
        }
    }
}
