package dev.sluice.doctor.finding;

/** How much a finding matters. In rising order. */
public enum Severity {
    /** Nothing to be done. */
    FINE,
    /** Worth knowing; may be meant so. */
    NOTE,
    /** Costs much, or protects less than it could. */
    WARNING,
    /** Clients are refused, or not protected. */
    FAULT
}
