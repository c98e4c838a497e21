package dev.sluice.gateway.ech;

/** A receiver of messages about keys for Encrypted ClientHello. Called from any thread. */
public interface EchLog {
    /** Reports an ordinary event. */
    void info(String line);

    /** Reports a problem that needs an operator. */
    void warn(String line);
}
