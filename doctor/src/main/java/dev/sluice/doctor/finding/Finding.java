package dev.sluice.doctor.finding;

/**
 * A finding of an audit.
 *
 * @param kind the kind
 * @param figure the observation, with its value
 */
public record Finding(FindingKind kind, String figure) {
    /** Returns the severity. */
    Severity severity() {
        return kind.severity();
    }
}
