package dev.sluice.gateway.alerts;

/** Where lines about alerts go. Called from any thread. */
public interface AlertLog {
    /** An alert has cleared. */
    void info(String line);

    /** An alert fires, or its command has failed. */
    void warn(String line);
}
