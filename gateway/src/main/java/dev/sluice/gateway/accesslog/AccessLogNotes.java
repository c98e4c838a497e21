package dev.sluice.gateway.accesslog;

/** A receiver of messages about the state of the access log itself. May be called from any thread. */
public interface AccessLogNotes {
    /** It is written again. */
    void info(String line);

    /** It cannot be written. */
    void warn(String line);
}
