package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Share;
import dev.sluice.config.key.KeyType.Size;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.log.AccessLogConfig;
import java.util.List;

/** The keys of {@code access-log}. */
public final class AccessLogKeys {
    public static final Key FILE = Key.required(
            "file",
            new Text("a file, or `\"-\"`"),
            "/var/log/sluice/access.log",
            "File to append to, created with mode 0640; `\"-\"`: standard output.");
    public static final ValueKey<Double> SAMPLE =
            Key.of("sample", new Share(), 1.0, "Share of connections to log, chosen by the client's address and port.");
    public static final ValueKey<Long> MAX_SIZE = Key.of(
            "max-size",
            new Size(0, 1L << 40),
            AccessLogConfig.DEFAULT_MAX_BYTES,
            "Size at which the file is rotated to `FILE.1`; `0B`: never.");
    public static final ValueKey<Integer> KEEP =
            Key.of("keep", new Whole(1, 1_000), AccessLogConfig.DEFAULT_KEEP, "Number of rotated files to keep.");

    public static final SectionKeys SECTION = new SectionKeys(
            "accessLog",
            "access-log",
            "Access log",
            "See [Logs](guide/logging.md).",
            List.of(FILE, SAMPLE, MAX_SIZE, KEEP));

    private AccessLogKeys() {}
}
