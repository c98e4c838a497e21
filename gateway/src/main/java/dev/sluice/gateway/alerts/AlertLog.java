package dev.sluice.gateway.alerts;

/** A receiver of log lines about alerts. Called from any thread. */
public interface AlertLog {
    /** An alert has cleared. */
    void info(String line);

    /** An alert fires, or its command has failed. */
    void warn(String line);
}
