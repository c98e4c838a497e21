package dev.sluice.doctor.finding;

/**
 * Something that an audit has found.
 *
 * @param kind what
 * @param figure what was seen, with its number
 */
public record Finding(FindingKind kind, String figure) {
    /** How much it matters. */
    public Severity severity() {
        return kind.severity();
    }
}
