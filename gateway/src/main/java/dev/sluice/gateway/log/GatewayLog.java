package dev.sluice.gateway.log;

/** A receiver of a gateway's log lines. Called from any thread; must neither block long nor throw. */
@FunctionalInterface
public interface GatewayLog {
    /** The severity of a line. */
    enum Level {
        /** The ordinary course of things, what peers do wrong included. */
        INFO,
        /** The network or the operating system stands in the way; operators may want to act. */
        WARN,
        /** Our own configuration or code is at fault. */
        ERROR
    }

    /** Writes nothing. */
    GatewayLog NONE = (level, line) -> {};

    /** Writes one line, without a line end. */
    void line(Level level, String line);

    /** Writes a line of the ordinary course of things. */
    default void info(String line) {
        line(Level.INFO, line);
    }

    /** Writes a line that operators may want to act on. */
    default void warn(String line) {
        line(Level.WARN, line);
    }
}
