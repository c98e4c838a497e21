package dev.sluice.config.log;

/** The form of the log's lines. */
public enum LogFormat {
    /** Words for people. */
    TEXT,
    /** One JSON object. */
    JSON
}
