package dev.sluice.cost.doctor;

/** How much a finding of the audit matters. In rising order. */
public enum Severity {
    /** Nothing to be done. */
    FINE,
    /** Worth knowing. */
    NOTE,
    /** Costs something, or will. */
    WARNING,
    /** Clients are refused, or not protected. */
    FAULT
}
