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

    /** How many descriptors this process has open. */
    public static int count() {
        return count(ProcessHandle.current().pid());
    }

    /** How many descriptors a process of the same user has open. */
    public static int count(long pid) {
        return list(pid).size();
    }

    /** What each descriptor of a process stands for, such as {@code "12 -> socket:[4711]"}: for messages. */
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

    /** Empty for a descriptor that closed meanwhile, and for the one that the listing itself has open. */
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
