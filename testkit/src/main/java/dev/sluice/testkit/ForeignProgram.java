package dev.sluice.testkit;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A third-party program on this machine, run by tests as a peer or as an oracle.
 *
 * <p>Where the program is absent the test is skipped with a message that names the package to install; with the
 * environment variable {@value #REQUIRE_PEERS}{@code =true}, as in continuous integration, the test fails instead, so
 * that nothing is skipped unnoticed. Immutable and thread-safe.
 */
public final class ForeignProgram {
    /** The environment variable that turns "skip if a program is absent" into "fail". */
    public static final String REQUIRE_PEERS = "SLUICE_REQUIRE_PEERS";

    /** Directories that are often missing from a test's {@code PATH}: servers, and the installers of Go and Rust. */
    private static final List<Path> ALSO_LOOKED_IN = List.of(
            Path.of("/usr/sbin"),
            Path.of("/usr/local/sbin"),
            Path.of("/usr/local/go/bin"),
            Path.of(System.getProperty("user.home"), ".cargo/bin"));

    private final Path executable;

    private ForeignProgram(Path executable) {
        this.executable = executable;
    }

    /**
     * Returns the program, or ends the calling test: skipped, or failed where peers are required.
     *
     * @param name the name of the executable, such as {@code "curl"}
     * @param debianPackage its package, for the message
     */
    public static ForeignProgram required(String name, String debianPackage) {
        return find(name).orElseGet(() -> {
            absent("the program '" + name + "' is not on the PATH; remedy: apt-get install " + debianPackage);
            throw new AssertionError("absent() returned");
        });
    }

    /** Returns the program if it is installed. */
    public static Optional<ForeignProgram> find(String name) {
        return searchPath().stream()
                .map(directory -> directory.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .map(ForeignProgram::new);
    }

    /**
     * Ends the calling test for a missing part of the machine: skips it, or fails it where peers are required. Never
     * returns.
     *
     * @param what the missing part and its remedy
     */
    public static void absent(String what) {
        if (Boolean.parseBoolean(System.getenv(REQUIRE_PEERS))) {
            fail(what + " (an error, and not a skip, because " + REQUIRE_PEERS + "=true)");
        }
        abort(what);
    }

    /** Returns a program given by its path, such as a launcher of the project's own. */
    public static ForeignProgram at(Path executable) {
        return new ForeignProgram(executable);
    }

    /** Returns the path of the executable. */
    public Path executable() {
        return executable;
    }

    /** Returns a command line of this program, to be refined and run. */
    public ForeignCommand command(String... arguments) {
        List<String> line = new ArrayList<>();
        line.add(executable.toString());
        line.addAll(List.of(arguments));
        return new ForeignCommand(line);
    }

    private static List<Path> searchPath() {
        List<Path> directories = new ArrayList<>();
        String path = System.getenv("PATH");
        if (path != null) {
            for (String directory : path.split(File.pathSeparator, -1)) {
                directories.add(Path.of(directory));
            }
        }
        directories.addAll(ALSO_LOOKED_IN);
        return directories;
    }
}
