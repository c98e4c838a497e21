/**
 * Certificates, private keys, trust and OCSP staples, in OpenSSL's memory.
 *
 * <p>{@link dev.sluice.tls.certificate.Identity} is a loaded chain with its key, checked once and shared by contexts;
 * {@link dev.sluice.tls.certificate.ClientTrust} the authorities and revocation lists for client certificates;
 * {@link dev.sluice.tls.certificate.StapleSlot} the staple of one certificate, read by handshakes without a lock.
 *
 * <p>Immutable after loading; secrets stay off-heap and are wiped when their owner is closed.
 */
@NullMarked
package dev.sluice.tls.certificate;

import org.jspecify.annotations.NullMarked;
