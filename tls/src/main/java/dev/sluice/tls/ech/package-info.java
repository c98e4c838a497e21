/**
 * Encrypted ClientHello (RFC 9849): the keys that server contexts share, and the result for a handshake.
 *
 * <p>{@link dev.sluice.tls.ech.EchKeyRing} may be used by any thread. libssl decrypts; the lean handshake leaves a
 * hello with the extension to it.
 */
@NullMarked
package dev.sluice.tls.ech;

import org.jspecify.annotations.NullMarked;
