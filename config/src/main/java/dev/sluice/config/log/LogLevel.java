package dev.sluice.config.log;

/** The severity of a log line, in rising order. */
public enum LogLevel {
    /** The ordinary course of things, what peers do wrong included. */
    INFO,
    /** The network or the operating system stands in the way; operators may want to act. */
    WARN,
    /** Our own configuration or code is at fault. */
    ERROR
}
