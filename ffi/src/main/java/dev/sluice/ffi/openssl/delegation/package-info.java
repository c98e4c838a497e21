/**
 * Handshakes whose decisions are made in Java: which certificate to present, and whether the peer's is acceptable; and
 * signatures with private keys that are not in native memory.
 *
 * <p>{@link dev.sluice.ffi.openssl.delegation.DelegationCallbacks} passes libssl's questions to the {@link
 * dev.sluice.ffi.openssl.HandshakeCallbacks.Target} of the connection, which may suspend the handshake; {@link
 * dev.sluice.ffi.openssl.delegation.PeerOffer} reads what the peer has sent, and answers it.
 *
 * <p>{@link dev.sluice.ffi.openssl.delegation.SigningProvider} is a provider of OpenSSL for private keys that sign in
 * Java.
 *
 * <pre>
 * libssl ── certificate, verdict? ──▶ DelegationCallbacks ──▶ Target: answer now, or suspend (WANT_X509_LOOKUP,
 *    ▲                                                                                    WANT_RETRY_VERIFY)
 *    └── next SSL_do_handshake, from a task that has asked the managers ◀──────────────────────┘
 * </pre>
 */
@NullMarked
package dev.sluice.ffi.openssl.delegation;

import org.jspecify.annotations.NullMarked;
