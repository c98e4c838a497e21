package dev.sluice.gateway.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code access-log}: a section with a file, or off. */
final class AccessLogReader {
    private static final List<String> KEYS = List.of("file", "sample", "max-size", "keep");
    private static final String STANDARD_OUTPUT = "-";
    private static final long MAX_BYTES = 1L << 40;
    private static final int KEEP_MAX = 1_000;

    private final Path configDirectory;

    /** @param configDirectory where relative paths start */
    AccessLogReader(Path configDirectory) {
        this.configDirectory = configDirectory;
    }

    /** What stands at the top; null: nothing is logged. */
    @Nullable
    AccessLogConfig read(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!value.isSection() && "off".equals(value.text())) {
            return null;
        }
        Section section = value.section(KEYS);
        if (section == null) {
            return null;
        }
        Value file = section.require("file", "/var/log/sluice/access.log");
        String text = file == null ? null : file.text();
        long maxBytes = section.bytes("max-size", 0, MAX_BYTES, AccessLogConfig.DEFAULT_MAX_BYTES);
        int keep = section.integer("keep", 1, KEEP_MAX, AccessLogConfig.DEFAULT_KEEP);
        double sample = section.share("sample");
        if (file == null || text == null) {
            return null;
        }
        return new AccessLogConfig(text.equals(STANDARD_OUTPUT) ? null : path(file, text), sample, maxBytes, keep);
    }

    private @Nullable Path path(Value value, String text) {
        try {
            Path path = configDirectory.resolve(text);
            Path directory = path.toAbsolutePath().getParent();
            if (Files.isDirectory(path)) {
                value.problem("file " + path + " is a directory; name a file in it");
            } else if (directory == null || !Files.isDirectory(directory)) {
                value.problem(
                        "file " + path + " cannot be made: directory " + directory + " does not exist; create it",
                        ProblemKind.TRANSIENT);
            } else if (!Files.isWritable(Files.exists(path) ? path : directory)) {
                value.problem("file " + path + " cannot be written; let user " + System.getProperty("user.name")
                        + " write to it and to its directory");
            }
            value.means(path.toString());
            return path;
        } catch (InvalidPathException invalid) {
            value.problem("file \"" + text + "\" is no path: " + invalid.getReason());
            return null;
        }
    }
}
