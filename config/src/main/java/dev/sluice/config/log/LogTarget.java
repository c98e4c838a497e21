package dev.sluice.config.log;

import java.nio.file.Path;

/** A receiver of the log's lines. */
public enum LogTarget {
    /** Standard error. */
    STDERR("/dev/stderr"),
    /** A syslog daemon on this machine. */
    SYSLOG("/dev/log"),
    /** systemd's journal. */
    JOURNALD("/run/systemd/journal/socket");

    private final Path path;

    LogTarget(String path) {
        this.path = Path.of(path);
    }

    /** Returns the socket at which it receives, unless configured otherwise. */
    public Path socket() {
        return path;
    }
}
