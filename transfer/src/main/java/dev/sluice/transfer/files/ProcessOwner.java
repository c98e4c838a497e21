package dev.sluice.transfer.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user and group of this process.
 *
 * @param user the user's number
 * @param group the group's number
 */
public record ProcessOwner(int user, int group) {
    private static final Path SELF = Path.of("/proc/self");

    /** Returns those of this process. */
    public static ProcessOwner current() {
        try {
            return new ProcessOwner(
                    (Integer) Files.getAttribute(SELF, "unix:uid"), (Integer) Files.getAttribute(SELF, "unix:gid"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SELF + "; mount procfs", e);
        }
    }
}
