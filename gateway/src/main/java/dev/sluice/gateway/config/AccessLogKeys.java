package dev.sluice.gateway.config;

import dev.sluice.gateway.config.KeyType.Share;
import dev.sluice.gateway.config.KeyType.Size;
import dev.sluice.gateway.config.KeyType.Text;
import dev.sluice.gateway.config.KeyType.Whole;
import java.util.List;

/** The keys of {@code access-log}. */
final class AccessLogKeys {
    static final Key FILE = Key.required(
            "file",
            new Text("a file, or `\"-\"`"),
            "/var/log/sluice/access.log",
            "File to append to, created with mode 0640; `\"-\"`: standard output.");
    static final ValueKey<Double> SAMPLE =
            Key.of("sample", new Share(), 1.0, "Share of connections to log, chosen by the client's address and port.");
    static final ValueKey<Long> MAX_SIZE = Key.of(
            "max-size",
            new Size(0, 1L << 40),
            AccessLogConfig.DEFAULT_MAX_BYTES,
            "Size at which the file is rotated to `FILE.1`; `0B`: never.");
    static final ValueKey<Integer> KEEP =
            Key.of("keep", new Whole(1, 1_000), AccessLogConfig.DEFAULT_KEEP, "Number of rotated files to keep.");

    static final SectionKeys SECTION = new SectionKeys(
            "accessLog",
            "access-log",
            "Access log",
            "See [Logs](guide/logging.md).",
            List.of(FILE, SAMPLE, MAX_SIZE, KEEP));

    private AccessLogKeys() {}
}
