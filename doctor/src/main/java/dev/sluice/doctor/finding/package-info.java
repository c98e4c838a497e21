/**
 * Findings of an audit, their catalogue, and the reports made of them.
 *
 * <p>{@link dev.sluice.doctor.finding.FindingKind} is the catalogue: one constant per finding with severity, cause and
 * remedy. {@link dev.sluice.doctor.finding.DoctorReport} is the result of an audit, and
 * {@link dev.sluice.doctor.finding.ReportWriter} prints it as text or JSON.
 *
 * <p>Reports are immutable; collectors of findings are confined to one audit's thread.
 */
@NullMarked
package dev.sluice.doctor.finding;

import org.jspecify.annotations.NullMarked;
