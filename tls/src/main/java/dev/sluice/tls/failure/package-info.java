/**
 * The reasons for which connections end: one catalogue for the TLS engines, the event loops and the gateway.
 *
 * <p>{@link dev.sluice.tls.failure.EndReason} is the entry: each constant is a reason with its {@link
 * dev.sluice.tls.failure.Fault}, its metric label, the alert that belongs to it, and its text for log and
 * documentation. {@link dev.sluice.tls.failure.TlsFailure} is one occurrence in an engine. {@link
 * dev.sluice.tls.failure.TlsAlert} lists the alerts that have a name.
 *
 * <p>{@link dev.sluice.tls.failure.TlsConfigurationException} rejects an invalid context configuration.
 *
 * <p>Everything here is immutable, and may be used from any thread.
 */
@NullMarked
package dev.sluice.tls.failure;

import org.jspecify.annotations.NullMarked;
