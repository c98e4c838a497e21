/**
 * Checks of one endpoint, one class per subject: versions, suites, groups, chain, staple, resumption, early data.
 *
 * <p>{@link dev.sluice.doctor.audit.Audit} is what they share: the target, the options, and the findings so far. Each
 * check opens its own probes and adds its findings; a check that cannot connect says so and does not stop the others.
 *
 * <p>An audit is confined to one thread.
 */
@NullMarked
package dev.sluice.doctor.audit;

import org.jspecify.annotations.NullMarked;
