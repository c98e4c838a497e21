package dev.sluice.config.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.key.LogKeys;
import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogTarget;
import dev.sluice.config.yaml.Value;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The reader of {@code log}. */
final class LogReader {
    /** The longest path of a Unix socket: unix(7), without the closing NUL. */
    private static final int SOCKET_BYTES_MAX = 107;

    private final Path configDirectory;

    /** Creates a reader that resolves relative paths against a directory. */
    LogReader(Path configDirectory) {
        this.configDirectory = configDirectory;
    }

    LogConfig read(Value value) {
        Section section = Section.of(value, LogKeys.SECTION);
        if (section == null) {
            return LogConfig.DEFAULT;
        }
        LogTarget target = section.get(LogKeys.TARGET);
        return new LogConfig(
                section.get(LogKeys.LEVEL),
                section.get(LogKeys.FORMAT),
                target,
                section.get(LogKeys.FACILITY),
                socket(section.find(LogKeys.SOCKET), target));
    }

    private Path socket(@Nullable Value value, LogTarget target) {
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return target.socket();
        }
        if (target == LogTarget.STDERR) {
            value.problem("socket is for the targets syslog and journald; add target, or remove socket");
        }
        try {
            Path socket = configDirectory.resolve(text);
            int length = socket.toString().getBytes(UTF_8).length;
            if (length > SOCKET_BYTES_MAX) {
                value.problem("socket " + socket + " has " + length + " bytes; a Unix socket's path has at most "
                        + SOCKET_BYTES_MAX);
            }
            value.means(socket.toString());
            return socket;
        } catch (InvalidPathException invalid) {
            value.problem("socket \"" + text + "\" is not a path: " + invalid.getReason());
            return target.socket();
        }
    }
}
