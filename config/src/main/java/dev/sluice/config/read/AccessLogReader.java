package dev.sluice.config.read;

import dev.sluice.config.key.AccessLogKeys;
import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.config.yaml.Value;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The reader of {@code access-log}: a section with a file, or off. */
final class AccessLogReader {
    private static final String STANDARD_OUTPUT = "-";

    private final Path configDirectory;

    /** Creates a reader that resolves relative paths against a directory. */
    AccessLogReader(Path configDirectory) {
        this.configDirectory = configDirectory;
    }

    /** Reads the section; null: nothing is logged. */
    @Nullable
    AccessLogConfig read(@Nullable Value value) {
        if (value == null) {
            return null;
        }
        if (!value.isSection() && value.isOff()) {
            return null;
        }
        Section section = Section.of(value, AccessLogKeys.SECTION);
        if (section == null) {
            return null;
        }
        Value file = section.require(AccessLogKeys.FILE);
        String text = file == null ? null : file.text();
        long maxBytes = section.get(AccessLogKeys.MAX_SIZE);
        int keep = section.get(AccessLogKeys.KEEP);
        double sample = section.get(AccessLogKeys.SAMPLE);
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
                        "file " + path + " cannot be created: directory " + directory + " does not exist; create it",
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
