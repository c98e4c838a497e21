package dev.sluice.gateway.acme;

/** The lines that ACME writes to the gateway's log. */
public interface AcmeLog {
    /** Logs that all is well again, or that something has been done. */
    void info(String line);

    /** Logs what an operator should see to. */
    void warn(String line);
}
