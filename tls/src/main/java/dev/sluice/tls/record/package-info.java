/**
 * The record layer after the detach: keys, and records that are sealed and opened in place.
 *
 * <p>{@link dev.sluice.tls.record.RecordChannel} is the entry: one established connection outside libssl, without I/O
 * and without a buffer of its own. {@link dev.sluice.tls.record.ConnectionKeys} holds its secrets; {@link
 * dev.sluice.tls.record.KeySchedule} derives record keys; {@link dev.sluice.tls.record.RecordProtector} seals and opens
 * with one AEAD. {@link dev.sluice.tls.record.KernelKeys} exports keys to kernel TLS.
 *
 * <p>Channels, protectors and key schedules are confined to one thread. A loop's connections share its {@link
 * dev.sluice.tls.record.RecordResources}; each connection owns its keys in native memory. The record path allocates
 * nothing.
 *
 * <pre>
 * record in ──▶ RecordChannel ── RecordProtector ──▶ plaintext, in place
 * </pre>
 */
@NullMarked
package dev.sluice.tls.record;

import org.jspecify.annotations.NullMarked;
