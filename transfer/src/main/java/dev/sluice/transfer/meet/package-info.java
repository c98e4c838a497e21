/**
 * The places where two machines meet: a given address, the local network, a relay.
 *
 * <p>{@link dev.sluice.transfer.meet.Host} waits for a peer on all of them, {@link dev.sluice.transfer.meet.Guest}
 * looks for the host; both name the same {@link dev.sluice.transfer.meet.RendezvousId} and get one connected socket
 * with nobody authenticated yet: the channel above does that. {@link dev.sluice.transfer.meet.RelayServer} joins two
 * peers and passes on their bytes, which are ciphertext.
 *
 * <p>Nothing here is secret, and nothing that arrives here is trusted: an impostor can prevent a meeting, and learns
 * nothing by it.
 *
 * <pre>
 * Guest ── connect ──────────────────▶ Host           a given address
 * Guest ── query, hash ──▶ LAN ◀────── Host           then connect to the address that answers
 * Guest ── id ──▶ RelayServer ◀── id ─ Host           when the others fail
 * </pre>
 */
@NullMarked
package dev.sluice.transfer.meet;

import org.jspecify.annotations.NullMarked;
