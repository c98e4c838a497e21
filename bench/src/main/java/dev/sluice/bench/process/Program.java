package dev.sluice.bench.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A third-party program.
 *
 * @param name the executable's name
 * @param debianPackage the package to install if it is missing
 */
public record Program(String name, String debianPackage) {
    private static final List<String> SYSTEM_DIRECTORIES = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");

    /** Returns its path: on the PATH, or in the directories for daemons, which a user's PATH may lack. */
    public Optional<Path> find() {
        String path = System.getenv().getOrDefault("PATH", "");
        return java.util.stream.Stream.concat(List.of(path.split(":", -1)).stream(), SYSTEM_DIRECTORIES.stream())
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the reason why it is skipped, with the remedy. */
    public String missing() {
        return name + " is not installed; on Debian: apt-get install " + debianPackage;
    }
}
