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
 * A program that we did not write, found on this machine, and run by tests as a peer or as an oracle.
 *
 * <p>Where the program is absent the test is skipped with a message that names the package to install; with the
 * environment variable {@value #REQUIRE_PEERS}{@code =true}, as in continuous integration, the test fails instead, so
 * that nothing is skipped unnoticed. Immutable and thread-safe.
 */
public final class ForeignProgram {
    /** Environment variable that turns "skip where a program is absent" into "fail". */
    public static final String REQUIRE_PEERS = "SLUICE_REQUIRE_PEERS";

    /** Where programs stand that are often not on a test's {@code PATH}: servers, and Go's and Rust's own installers. */
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
     * The program, or the end of the calling test: skipped, or failed where peers are required.
     *
     * @param name the name of the executable, such as {@code "curl"}
     * @param debianPackage the package that carries it, named in the message
     */
    public static ForeignProgram required(String name, String debianPackage) {
        return find(name).orElseGet(() -> {
            absent("the program '" + name + "' is not on the PATH; remedy: apt-get install " + debianPackage);
            throw new AssertionError("absent() returned");
        });
    }

    /** The program, where it is installed. */
    public static Optional<ForeignProgram> find(String name) {
        return searchPath().stream()
                .map(directory -> directory.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .map(ForeignProgram::new);
    }

    /**
     * Ends the calling test because something of the machine is missing: skips it, or fails it where peers are
     * required. Never returns.
     *
     * @param what what is missing and how to get it
     */
    public static void absent(String what) {
        if (Boolean.parseBoolean(System.getenv(REQUIRE_PEERS))) {
            fail(what + " (an error, and not a skip, because " + REQUIRE_PEERS + "=true)");
        }
        abort(what);
    }

    /** A program given by its path, such as a launcher of the project's own. */
    public static ForeignProgram at(Path executable) {
        return new ForeignProgram(executable);
    }

    /** Where it was found. */
    public Path executable() {
        return executable;
    }

    /** A command line of this program, ready to be refined and run. */
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
