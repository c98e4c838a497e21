package dev.sluice.cost.measure;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The conditions that figures depend on. */
final class MachineFacts {
    private MachineFacts() {}

    /** Returns the facts by name, in display order. */
    static Map<String, String> gather() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("CPU", cpuModel() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("OpenSSL", OpenSsl.require().version());
        facts.put("library", OpenSsl.require().libraryFile());
        facts.put(
                "kernel",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("JDK", Runtime.version().toString());
        facts.put("load average", firstLine("/proc/loadavg", "").replaceFirst("^(\\S+ \\S+ \\S+).*", "$1"));
        facts.put("measured", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return facts;
    }

    private static String cpuModel() {
        return firstLine("/proc/cpuinfo", "model name").replaceFirst(".*:\\s*", "");
    }

    private static String firstLine(String file, String start) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(start)).findFirst().orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
