package dev.sluice.doctor.finding;

import java.util.Comparator;
import java.util.List;

/**
 * The result of an audit.
 *
 * @param subject the audited endpoint, such as {@code example.com:443}
 * @param local true for this machine instead of an endpoint
 * @param findings ordered by effect
 * @param facts all observations
 * @param connections number of connections made
 */
public record DoctorReport(String subject, boolean local, List<Finding> findings, Facts facts, int connections) {
    /** Copies the list. */
    public DoctorReport {
        findings = List.copyOf(findings);
    }

    /** Returns the highest severity of the findings. */
    public Severity severity() {
        return findings.stream()
                .map(Finding::severity)
                .max(Comparator.naturalOrder())
                .orElse(Severity.FINE);
    }
}
