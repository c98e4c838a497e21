package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class path of measured processes: Sluice itself, JMH, and the compared libraries, which are not shipped among
 * Sluice's modules.
 */
public final class PeerLibraries {
    private static final String PEERS = "peers";
    private static final String MODULE_INFO = "module-info.class";

    private PeerLibraries() {}

    /** Returns this process's own path, plus the libraries in the directory beside its modules if separate. */
    public static String classPath() {
        Set<String> entries = new LinkedHashSet<>(split(System.getProperty("java.class.path")));
        for (String entry : split(System.getProperty("jdk.module.path"))) {
            Path path = Path.of(entry);
            boolean holdsModules = Files.isDirectory(path) && !Files.exists(path.resolve(MODULE_INFO));
            entries.addAll(holdsModules ? jars(path) : List.of(entry));
            Path peers = path.resolveSibling(PEERS);
            entries.addAll(holdsModules && Files.isDirectory(peers) ? jars(peers) : List.of());
        }
        return String.join(File.pathSeparator, entries);
    }

    private static List<String> split(@Nullable String path) {
        return path == null || path.isEmpty() ? List.of() : List.of(path.split(File.pathSeparator, -1));
    }

    private static List<String> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jar"))
                    .toList();
        } catch (IOException e) {
            throw new BenchException(
                    "no libraries in " + directory + " (" + e.getMessage() + "); build with ./sluice build", e);
        }
    }
}
