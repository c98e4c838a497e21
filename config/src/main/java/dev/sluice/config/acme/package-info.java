/**
 * The configuration of certificates that an ACME server issues.
 *
 * <p>{@link dev.sluice.config.acme.AcmeConfig} describes one certificate, {@link dev.sluice.config.acme.AcmeAccount}
 * the account that orders it, and {@link dev.sluice.config.acme.AcmeStorage} the files in which both are kept.
 *
 * <p>Immutable values, which may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.acme;

import org.jspecify.annotations.NullMarked;
