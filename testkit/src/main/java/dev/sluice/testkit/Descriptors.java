package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The open file descriptors of a process, read from {@code /proc/PID/fd}. Thread-safe. */
public final class Descriptors {
    private Descriptors() {}

    /** Returns the number of open descriptors of this process. */
    public static int count() {
        return count(ProcessHandle.current().pid());
    }

    /** Returns the number of open descriptors of a process of the same user. */
    public static int count(long pid) {
        return list(pid).size();
    }

    /** Returns the targets of a process's descriptors, such as {@code "12 -> socket:[4711]"}, for messages. */
    public static List<String> list(long pid) {
        List<String> descriptors = new ArrayList<>();
        Path directory = Path.of("/proc", Long.toString(pid), "fd");
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                target(entry, directory).ifPresent(descriptors::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + directory + "; the process may have ended", e);
        }
        return descriptors;
    }

    /** Returns the target of a descriptor; empty for one closed meanwhile, or opened by the listing itself. */
    private static Optional<String> target(Path entry, Path directory) {
        try {
            String target = Files.readSymbolicLink(entry).toString();
            boolean ourOwn = target.equals(directory.toString());
            return ourOwn ? Optional.empty() : Optional.of(entry.getFileName() + " -> " + target);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
