/**
 * The keys by which machines know each other: no names, no authorities, no dates.
 *
 * <p>{@link dev.sluice.transfer.identity.OwnKey} is the entry: this machine's private key, kept in a file, and the
 * self-signed certificate that carries its public half in a handshake. {@link
 * dev.sluice.transfer.identity.KeyFingerprint} names a public key by the SHA-256 digest of its SubjectPublicKeyInfo;
 * {@link dev.sluice.transfer.identity.AllowedKeys} is the set of fingerprints that a peer must match.
 *
 * <p>Fingerprints and sets are immutable. A key is shared by any number of channels and closed once.
 *
 * <pre>
 * key file ──▶ OwnKey ──▶ KeyFingerprint ──▶ the peer's AllowedKeys
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.identity;

import org.jspecify.annotations.NullMarked;
