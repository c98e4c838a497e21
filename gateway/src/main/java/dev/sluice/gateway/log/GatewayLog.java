package dev.sluice.gateway.log;

import dev.sluice.config.log.LogLevel;

/** A receiver of a gateway's log lines. Called from any thread; must neither block long nor throw. */
@FunctionalInterface
public interface GatewayLog {
    /** Writes nothing. */
    GatewayLog NONE = (level, line) -> {};

    /** Writes one line, without a line end. */
    void line(LogLevel level, String line);

    /** Writes a line about a connection that failed. */
    default void failure(LogLevel level, LoggedFailure failure) {
        line(level, failure.text());
    }

    /** Waits until all lines have been written, a second at most. */
    default void flush() {}

    /** Writes a line of the ordinary course of things. */
    default void info(String line) {
        line(LogLevel.INFO, line);
    }

    /** Writes a line that operators may want to act on. */
    default void warn(String line) {
        line(LogLevel.WARN, line);
    }
}
