package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class path of the processes that are measured: Sluice itself, JMH, and what Sluice is compared with, which the
 * command does not ship among its modules.
 */
final class PeerLibraries {
    private static final String PEERS = "peers";

    private PeerLibraries() {}

    /** Class path of this process; or its modules, and the libraries in the directory beside theirs. */
    static String classPath() {
        if (!PeerLibraries.class.getModule().isNamed()) {
            return System.getProperty("java.class.path");
        }
        Path modules = Path.of(System.getProperty("jdk.module.path"));
        List<Path> jars = new ArrayList<>(jars(modules));
        jars.addAll(jars(modules.resolveSibling(PEERS)));
        return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
    }

    private static List<Path> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        } catch (IOException e) {
            throw new BenchException(
                    "no libraries in " + directory + " (" + e.getMessage() + "); build with ./sluice build", e);
        }
    }
}
