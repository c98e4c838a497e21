package dev.sluice.gateway.ocsp;

/** A receiver of messages about stapling. Called from any thread. */
public interface StapleLog {
    /** Something that operators may want to know. */
    void info(String line);

    /** Something that operators may want to act on. */
    void warn(String line);
}
