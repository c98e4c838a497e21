/**
 * Session-ticket keys: the key ring that handshakes read, and the plan of their rotation.
 *
 * <p>{@link dev.sluice.tls.ticket.TicketKeyRing} holds the keys of all loops: handshakes read one array, the control
 * path replaces it. {@link dev.sluice.tls.ticket.TicketKeyPlan} computes the keys that should follow, by the clock
 * alone. {@link dev.sluice.tls.ticket.TicketPolicy} sets the tickets that a server sends.
 *
 * <p>The ring may be used by any thread. Keys are off-heap, belong to the ring once installed, and are wiped after
 * their end.
 *
 * <pre>
 * next (opens) ──▶ current (seals and opens) ──▶ previous (opens) ──▶ expired (wiped)
 * </pre>
 */
@NullMarked
package dev.sluice.tls.ticket;

import org.jspecify.annotations.NullMarked;
