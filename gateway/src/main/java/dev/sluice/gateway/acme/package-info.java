/**
 * Certificates by ACME (RFC 8555): ordered, kept, and renewed in the background.
 *
 * <p>{@link dev.sluice.gateway.acme.AcmeCertificates} is the entry. A {@link
 * dev.sluice.gateway.acme.ManagedCertificate} decides when to order; {@link dev.sluice.gateway.acme.AcmeClient} does
 * it, and is the only class beside its helpers that uses the library. What comes back is checked by {@link
 * dev.sluice.gateway.acme.IssuedChain} and written by {@link dev.sluice.gateway.acme.StateFiles}; the gateway's watch
 * over certificate files then puts it into service, as for any renewed file.
 *
 * <p>Work runs on a few threads of its own, started with the first certificate. No handshake and no event loop waits
 * for any of it.
 */
@NullMarked
package dev.sluice.gateway.acme;

import org.jspecify.annotations.NullMarked;
