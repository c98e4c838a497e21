package dev.sluice.gateway.admin;

/** Where the endpoint tells what people should know: where it listens, and why it does not. */
public interface AdminLog {
    /** Something went as it should. */
    void info(String line);

    /** Something needs somebody; the line names value, cause and remedy. */
    void warn(String line);
}
