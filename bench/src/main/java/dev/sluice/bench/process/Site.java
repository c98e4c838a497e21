package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The environment of a comparison: a temporary directory with certificate and configurations, the cores, the OpenSSL.
 *
 * @param directory temporary directory, removed by {@link #close()}
 * @param certificate certificate of all servers
 * @param cores placement of the processes
 * @param openssl the directory with the libssl.so.3 and libcrypto.so.3 for all servers; empty for the system's
 */
public record Site(Path directory, Certificate certificate, Cores cores, Optional<Path> openssl)
        implements AutoCloseable {
    /** Creates the directory and an ECDSA certificate. */
    public static Site create(Cores cores, Optional<Path> openssl) throws InterruptedException {
        return create(cores, openssl, Certificate.Kind.ECDSA_P256);
    }

    /** Creates the directory and a certificate. */
    public static Site create(Cores cores, Optional<Path> openssl, Certificate.Kind kind) throws InterruptedException {
        openssl.ifPresent(Site::requireLibraries);
        try {
            Path directory = Files.createTempDirectory("sluice-bench-");
            return new Site(directory, Certificate.make(directory, kind), cores, openssl);
        } catch (IOException e) {
            throw new BenchException("cannot create a temporary directory: " + e.getMessage(), e);
        }
    }

    /** Writes a file in the directory. */
    public Path write(String name, String text) {
        Path file = directory.resolve(name);
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new BenchException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Returns the variables that make the dynamic linker use the chosen OpenSSL. */
    public Map<String, String> environment() {
        return openssl.map(libraries -> Map.of("LD_LIBRARY_PATH", libraries.toString()))
                .orElse(Map.of());
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e.getMessage() + ")");
        }
    }

    private static void requireLibraries(Path directory) {
        for (String library : List.of("libssl.so.3", "libcrypto.so.3")) {
            if (!Files.isRegularFile(directory.resolve(library))) {
                throw new BenchException(
                        "no " + library + " in " + directory + "; --openssl must name a directory with both libraries");
            }
        }
    }
}
