package dev.sluice.doctor.finding;

/** The severity of a finding, in rising order. */
public enum Severity {
    /** No action needed. */
    FINE,
    /** Worth knowing; may be intended. */
    NOTE,
    /** Expensive, or weaker protection than possible. */
    WARNING,
    /** Clients are rejected or unprotected. */
    FAULT
}
