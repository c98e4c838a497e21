package dev.sluice.config.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The access log: one line for each connection.
 *
 * @param file the file to append to; null: standard output
 * @param sample the share of connections that are logged, above 0 and at most 1
 * @param maxBytes the size at which the file is rotated; 0: never
 * @param keep the number of rotated files to keep, at least 1
 */
public record AccessLogConfig(@Nullable Path file, double sample, long maxBytes, int keep) {
    /** The default size at which a file is rotated: 100 MiB. */
    public static final long DEFAULT_MAX_BYTES = 100L << 20;

    /** The default number of rotated files to keep. */
    public static final int DEFAULT_KEEP = 5;

    /** Returns an access log of every connection, rotated by default. */
    public static AccessLogConfig to(Path file) {
        return new AccessLogConfig(file, 1, DEFAULT_MAX_BYTES, DEFAULT_KEEP);
    }

    /** Returns the file's name for messages. */
    public String text() {
        return file == null ? "standard output" : file.toString();
    }
}
