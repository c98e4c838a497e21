/**
 * The introduction of two machines that know nothing of each other but a short one-time code.
 *
 * <p>{@link dev.sluice.transfer.pairing.PairingCode} is the entry: the code that one person reads to another. {@link
 * dev.sluice.transfer.pairing.Spake2} turns it into a strong key without disclosing it (RFC 9382). Both sides claim a
 * {@link dev.sluice.transfer.identity.KeyFingerprint} in that exchange, prove it in a TLS 1.3 handshake, and confirm
 * inside the new channel, with the strong key, that they used the same code.
 *
 * <p>A code permits one guess: it is void after the first attempt, whatever the result. Confined to one thread.
 *
 * <pre>
 * PairingCode ──▶ Spake2 ◀── messages ──▶ the peer's Spake2
 *                    └──▶ confirmation ──▶ inside the channel
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.pairing;

import org.jspecify.annotations.NullMarked;
