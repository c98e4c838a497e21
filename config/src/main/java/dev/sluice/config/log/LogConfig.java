package dev.sluice.config.log;

import java.nio.file.Path;

/**
 * The log.
 *
 * @param level the lowest severity that is written
 * @param format the form of the lines
 * @param target the receiver
 * @param facility the kind of program, for syslog and the journal
 * @param socket the receiver's socket; without meaning for standard error
 */
public record LogConfig(LogLevel level, LogFormat format, LogTarget target, SyslogFacility facility, Path socket) {
    /** Everything to standard error, as text. */
    public static final LogConfig DEFAULT = new LogConfig(
            LogLevel.INFO, LogFormat.TEXT, LogTarget.STDERR, SyslogFacility.DAEMON, LogTarget.STDERR.socket());

    /** Returns the receiver's name for messages. */
    public String text() {
        return switch (target) {
            case STDERR -> "standard error";
            case SYSLOG -> "syslog at " + socket;
            case JOURNALD -> "the journal at " + socket;
        };
    }
}
