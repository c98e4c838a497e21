/**
 * The lean handshake: a TLS 1.3 server handshake (RFC 8446) over libcrypto's primitives, without libssl, for the
 * ClientHello that most clients send.
 *
 * <p>It decides before the first byte of output: a {@link dev.sluice.tls.lean.LeanHello} that is unusual in any way
 * has a {@link dev.sluice.tls.lean.FallbackReason}, and libssl handles the same bytes from the start, alerts included.
 * Otherwise {@link dev.sluice.tls.lean.ServerFlight} writes the whole flight at once and derives everything that
 * follows from it; between that and the client's Finished a connection holds its keys and the Finished that it expects
 * ({@link dev.sluice.tls.lean.HandshakeSecrets}), and no native memory of its own. Does no I/O.
 */
@NullMarked
package dev.sluice.tls.lean;

import org.jspecify.annotations.NullMarked;
