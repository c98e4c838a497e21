package dev.sluice.gateway.admin;

/** A receiver of messages for operators: the address on which the endpoint listens, or the reason why it does not. */
public interface AdminLog {
    /** Something went as it should. */
    void info(String line);

    /** Something needs somebody; the line names value, cause and remedy. */
    void warn(String line);
}
