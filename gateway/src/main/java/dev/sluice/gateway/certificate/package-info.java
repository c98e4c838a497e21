/**
 * The certificates in use: contexts per listener and loop, loaded keys, and warnings about both.
 *
 * <p>{@link dev.sluice.gateway.certificate.OpenSslCheck} checks a configuration against the TLS library and keeps what
 * it loaded. {@link dev.sluice.gateway.certificate.ServerContexts} makes the contexts of a loop from it; {@link
 * dev.sluice.gateway.certificate.LoadedCertificates} are loaded once for all loops. {@link
 * dev.sluice.gateway.certificate.CertificateWarnings} and {@link dev.sluice.gateway.certificate.CertificateReport}
 * cover expiry.
 *
 * <p>Loading runs on the control path, and each loader is confined to one thread. Contexts belong to their loops and
 * hold what they need, so the loaded keys are closed when all contexts exist.
 */
@NullMarked
package dev.sluice.gateway.certificate;

import org.jspecify.annotations.NullMarked;
