package dev.sluice.config.model;

/** The form of the log's lines. */
public enum LogFormat {
    /** Words for people. */
    TEXT,
    /** One JSON object. */
    JSON
}
