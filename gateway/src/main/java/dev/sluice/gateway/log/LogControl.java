package dev.sluice.gateway.log;

import dev.sluice.config.log.LogConfig;
import dev.sluice.config.log.LogLevel;

/** The control of a log while the gateway runs. May be called from any thread. */
public interface LogControl {
    /** Returns the configuration that the log follows. */
    LogConfig config();

    /** Returns the lowest level that is written now. */
    LogLevel level();

    /** Sets the lowest level that is written, until the configuration of the log changes. */
    void level(LogLevel level);

    /** Returns the number of lines that were lost because the target did not take them. */
    long lost();
}
