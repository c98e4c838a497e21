/**
 * Certificates in use: contexts per listener and loop, loaded keys, and warnings about both.
 *
 * <p>{@link dev.sluice.gateway.certificate.OpenSslCheck} checks a configuration against the TLS library and keeps what it
 * loaded; {@link dev.sluice.gateway.certificate.ServerContexts} makes the contexts of a loop from it.
 *
 * <p>Loading runs on the control path; contexts belong to their loops.
 */
@NullMarked
package dev.sluice.gateway.certificate;

import org.jspecify.annotations.NullMarked;
