package dev.sluice.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What /proc tells of this machine; nothing where there is none. */
final class Machine {
    private static final Path PROC = Path.of("/proc");

    private final List<String> processor = lines(PROC.resolve("cpuinfo"));
    private final List<String> limits = lines(PROC.resolve("self/limits"));

    /** Flags of the first processor, as Linux names them. */
    Set<String> processorFeatures() {
        String flags = first("flags");
        String features = flags.isEmpty() ? first("Features") : flags;
        return new HashSet<>(Arrays.asList(features.split("\\s+", -1)));
    }

    String processorModel() {
        String model = first("model name");
        return model.isEmpty() ? System.getProperty("os.arch") : model;
    }

    /** A value of sysctl by its path; "" where it is unknown. */
    String setting(String path) {
        List<String> lines = lines(PROC.resolve("sys").resolve(path));
        return lines.isEmpty() ? "" : lines.getFirst().strip();
    }

    /** A limit of this process by the name that /proc/self/limits has for it. */
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
     * @param soft the one in force
     * @param hard up to which it may be raised
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
