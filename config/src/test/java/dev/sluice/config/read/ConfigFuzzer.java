package dev.sluice.config.read;

import static dev.sluice.testkit.FuzzProperty.check;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A fuzzer of the configuration. Any text is a configuration, or problems that each name a file, a line of it and a
 * cause; a configuration that is printed in full and read again is the same one.
 *
 * <p>Input: the file sluice.yaml. The corpus is from {@link ConfigSamples} and written by hand; inputs named found are
 * the fuzzer's own.
 */
public final class ConfigFuzzer {
    private static final Environment ENVIRONMENT =
            new Environment(Map.of("SLUICE_STORE_PASSWORD", "p%40ss", "PORT", "8080", "EMPTY", ""));

    private static final Path DIRECTORY = directory();

    private ConfigFuzzer() {}

    /** Runs one input of Jazzer. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            ReadConfig read = read("sluice.yaml", bytes);
            same(read);
        } catch (ConfigException refused) {
            check(!refused.problems().isEmpty(), "refused without a problem");
            refused.problems().forEach(problem -> inspect(problem, bytes));
        }
    }

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("sluice-fuzz");
            ConfigSamples.writeFiles(directory);
            try (var files = Files.walk(directory)) {
                files.forEach(file -> file.toFile().deleteOnExit());
            }
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReadConfig read(String name, byte[] bytes) throws ConfigException {
        try {
            Path file = Files.write(DIRECTORY.resolve(name), bytes);
            file.toFile().deleteOnExit();
            return ConfigFile.parse(
                    ConfigSource.read(file), new AgreeingTlsCheck(), ENVIRONMENT, ConfigFuzzer::localhost);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetAddress localhost(String name) throws UnknownHostException {
        if (!name.equals("localhost")) {
            throw new UnknownHostException(name);
        }
        return InetAddress.ofLiteral("127.0.0.1");
    }

    private static void inspect(ConfigProblem problem, byte[] bytes) {
        int lines = 1;
        for (byte each : bytes) {
            lines += each == '\n' || each == '\r' ? 1 : 0;
        }
        // YAML has more ends of lines: NEL, LS and PS, of two bytes and three.
        boolean inside = problem.line() >= 0 && problem.line() <= lines + bytes.length / 2;
        check(inside, "a problem outside of the file: " + problem);
        check(!problem.file().isEmpty() && !problem.message().isEmpty(), "a problem without place or cause");
        check(problem.message().length() > 5, "a problem without words: " + problem);
    }

    private static void same(ReadConfig read) {
        String effective = read.effective();
        try {
            ReadConfig again = read("effective.yaml", effective.getBytes(StandardCharsets.UTF_8));
            check(withoutPlaces(again).equals(withoutPlaces(read)), "another configuration when printed: " + effective);
        } catch (ConfigException refused) {
            throw new AssertionError("what was printed is refused: " + effective, refused);
        }
    }

    private static String withoutPlaces(ReadConfig read) {
        return read.config().toString().replaceAll("origin=[^\\]]*", "");
    }
}
