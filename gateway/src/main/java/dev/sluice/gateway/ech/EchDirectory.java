package dev.sluice.gateway.ech;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The key files of a directory: {@code *.pem}, in the order of their names, the newest last. Those that a gateway has
 * made are named by their time, such as {@code ech-20261125T220312Z.pem}.
 */
final class EchDirectory {
    private static final String PREFIX = "ech-";
    private static final String SUFFIX = ".pem";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

    private final Path path;

    EchDirectory(Path path) {
        this.path = path;
    }

    /** Returns the key files, the oldest first, without hidden ones: a mounted secret keeps its versions in them. */
    List<Path> files() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(Files::isRegularFile)
                    .filter(file -> name(file).endsWith(SUFFIX) && !name(file).startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the file for a key that is made now. */
    Path fileOf(Instant now) {
        return path.resolve(PREFIX + TIME.format(now.atOffset(ZoneOffset.UTC)) + SUFFIX);
    }

    /** Returns true for the files that a gateway has made. */
    static boolean isMade(Path file) {
        return made(file) != null;
    }

    /** Returns the time of a key: that of its name, else that of the file. */
    static Instant time(Path file) throws IOException {
        Instant made = made(file);
        return made == null ? Files.getLastModifiedTime(file).toInstant() : made;
    }

    private static @Nullable Instant made(Path file) {
        String name = name(file);
        if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) {
            return null;
        }
        try {
            String time = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
            return LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException other) {
            return null;
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
