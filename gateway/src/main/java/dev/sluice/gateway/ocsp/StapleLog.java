package dev.sluice.gateway.ocsp;

/** Where stapling says what it does. Called from any thread. */
public interface StapleLog {
    /** Something that operators may want to know. */
    void info(String line);

    /** Something that operators may want to act on. */
    void warn(String line);
}
