/**
 * The values of the section {@code acme}, at the top and of a certificate.
 *
 * <p>{@link dev.sluice.config.acme.AcmeConfig} describes one certificate: its names, the way to prove them, the kinds
 * of key. {@link dev.sluice.config.acme.AcmeAccount} is the account that orders it, {@link
 * dev.sluice.config.acme.DnsHook} the program that adds TXT records, and {@link
 * dev.sluice.config.acme.AcmeStorage} names the files in which all of it is kept.
 *
 * <p>Immutable, and may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.acme;

import org.jspecify.annotations.NullMarked;
