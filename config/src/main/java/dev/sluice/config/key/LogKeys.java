package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogFormat;
import dev.sluice.config.log.LogLevel;
import dev.sluice.config.log.LogTarget;
import dev.sluice.config.log.SyslogFacility;
import java.util.List;

/** The keys of {@code log}. */
public final class LogKeys {
    public static final ValueKey<LogLevel> LEVEL = Key.of(
            "level",
            Choice.of(LogLevel.class),
            LogConfig.DEFAULT.level(),
            "Lowest level that is written; `sluice log` changes it while the gateway runs.");
    public static final ValueKey<LogFormat> FORMAT = Key.of(
            "format", Choice.of(LogFormat.class), LogConfig.DEFAULT.format(), "Form of the lines: text or JSON.");
    public static final ValueKey<LogTarget> TARGET = Key.of(
            "target",
            Choice.of(LogTarget.class),
            LogConfig.DEFAULT.target(),
            "Receiver: standard error, a syslog daemon (RFC 5424), or systemd's journal by its native protocol.");
    public static final ValueKey<SyslogFacility> FACILITY = Key.of(
            "facility",
            Choice.of(SyslogFacility.class),
            LogConfig.DEFAULT.facility(),
            "Facility of messages to syslog and to the journal.");
    public static final Key SOCKET = Key.optional(
            "socket",
            new Text("a path"),
            "`/dev/log`, or `/run/systemd/journal/socket`",
            "Datagram socket of the syslog daemon or the journal.");

    public static final SectionKeys SECTION = new SectionKeys(
            "log", "log", "Log", "See [Logs](guide/logging.md).", List.of(LEVEL, FORMAT, TARGET, FACILITY, SOCKET));

    private LogKeys() {}
}
