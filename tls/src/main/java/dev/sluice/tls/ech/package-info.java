/**
 * Encrypted ClientHello (RFC 9849): the keys that server contexts share, and the result for a handshake.
 *
 * <p>{@link dev.sluice.tls.ech.EchKeyRing} may be used by any thread; contexts take a change of keys for their next
 * connections. {@link dev.sluice.tls.ech.EchOutcome} tells whether a hello was encrypted, and opened. libssl decrypts;
 * the lean handshake leaves a hello with the extension to it.
 *
 * <p>OpenSSL before 4.0 has none of this; {@code OpenSsl.supportsEncryptedHello} tells.
 */
@NullMarked
package dev.sluice.tls.ech;

import org.jspecify.annotations.NullMarked;
