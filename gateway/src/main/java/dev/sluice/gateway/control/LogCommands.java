package dev.sluice.gateway.control;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogLevel;
import dev.sluice.gateway.control.AdminSocket.CommandException;
import dev.sluice.gateway.log.LogControl;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The admin-socket commands {@code log}, which shows the log's state, and {@code log LEVEL}, which sets its level. */
public final class LogCommands implements AdminSocket.Commands {
    private static final String SET = "log ";

    private final Supplier<@Nullable LogControl> log;

    /**
     * Creates the commands.
     *
     * @param log null: another program has the log
     */
    public LogCommands(Supplier<@Nullable LogControl> log) {
        this.log = log;
    }

    @Override
    public String answer(String line) throws CommandException {
        LogControl control = log.get();
        if (control == null) {
            throw new CommandException("this gateway is part of another program, which has the log");
        }
        if (line.startsWith(SET)) {
            control.level(level(line.substring(SET.length())));
        }
        return state(control);
    }

    private static LogLevel level(String word) throws CommandException {
        for (LogLevel level : LogLevel.values()) {
            if (word(level).equals(word)) {
                return level;
            }
        }
        throw new CommandException("\"" + word + "\" is no level; there are info, warn and error");
    }

    private static String state(LogControl log) {
        LogConfig config = log.config();
        return "level " + word(log.level())
                + (log.level() == config.level() ? "" : " (configured: " + word(config.level()) + ")") + ", "
                + word(config.format()) + " to " + config.text() + ", " + log.lost() + " lines lost\n";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
