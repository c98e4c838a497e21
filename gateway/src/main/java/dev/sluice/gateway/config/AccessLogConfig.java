package dev.sluice.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a line for each connection is written.
 *
 * @param file appended to; null: standard output
 * @param sample the share of connections that are logged, above 0 and at most 1
 * @param maxBytes when the file has as many bytes it is put aside, and a new one begun; 0: never
 * @param keep how many of those that were put aside are kept, at least 1
 */
public record AccessLogConfig(@Nullable Path file, double sample, long maxBytes, int keep) {
    /** When a file is put aside unless configured: 100 MiB. */
    public static final long DEFAULT_MAX_BYTES = 100L << 20;

    /** How many are kept unless configured. */
    public static final int DEFAULT_KEEP = 5;

    /** Every connection, and files as unless configured. */
    public static AccessLogConfig to(Path file) {
        return new AccessLogConfig(file, 1, DEFAULT_MAX_BYTES, DEFAULT_KEEP);
    }

    /** The file, for people. */
    public String text() {
        return file == null ? "standard output" : file.toString();
    }
}
