package dev.sluice.doctor.finding;

import java.util.Comparator;
import java.util.List;

/**
 * What an audit came to.
 *
 * @param subject what was audited, such as {@code example.com:443}
 * @param local whether that is this machine and not an endpoint
 * @param findings in the order of effect
 * @param facts all that was seen
 * @param connections how many it took
 */
public record DoctorReport(String subject, boolean local, List<Finding> findings, Facts facts, int connections) {
    /** Copies the list. */
    public DoctorReport {
        findings = List.copyOf(findings);
    }

    /** The worst of the findings. */
    public Severity severity() {
        return findings.stream()
                .map(Finding::severity)
                .max(Comparator.naturalOrder())
                .orElse(Severity.FINE);
    }
}
