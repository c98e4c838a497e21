/**
 * The checks of one endpoint, one class per subject: versions, suites, groups, chain, staple, resumption, early data.
 *
 * <p>{@link dev.sluice.doctor.audit.Audit} is the state that they share: the target, the options, and the findings so
 * far. {@link dev.sluice.doctor.audit.DoctorOptions} holds the options. {@link dev.sluice.doctor.audit.VersionAudit},
 * {@link dev.sluice.doctor.audit.SuiteAudit}, {@link dev.sluice.doctor.audit.GroupAudit}, {@link
 * dev.sluice.doctor.audit.ChainAudit} and the others each open their own probes and add findings.
 *
 * <p>A check that cannot connect reports that and does not stop the others.
 *
 * <p>An audit is confined to one thread and blocks on the network.
 */
@NullMarked
package dev.sluice.doctor.audit;

import org.jspecify.annotations.NullMarked;
