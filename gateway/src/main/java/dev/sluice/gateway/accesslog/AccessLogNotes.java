package dev.sluice.gateway.accesslog;

/** Where it is told how the access log itself fares. May be called from any thread. */
public interface AccessLogNotes {
    /** It is written again. */
    void info(String line);

    /** It cannot be written. */
    void warn(String line);
}
