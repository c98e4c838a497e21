package dev.sluice.gateway.log;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogTarget;
import java.nio.file.Files;
import java.util.List;

/** The warnings about a log that would not reach its target. */
public final class LogWarnings {
    private LogWarnings() {}

    /** Returns a sentence for each. */
    public static List<String> of(LogConfig log) {
        return log.target() == LogTarget.STDERR || Files.exists(log.socket())
                ? List.of()
                : List.of("log: nobody receives on " + log.socket()
                        + ", which does not exist; start the daemon, or set log.socket or log.target");
    }
}
