/**
 * Session-ticket keys: the key ring that handshakes read, and the plan of their rotation.
 *
 * <p>{@link dev.sluice.tls.ticket.TicketKeyRing} holds the keys of all loops: handshakes read one array, the control path
 * replaces it. {@link dev.sluice.tls.ticket.TicketKeyPlan} computes the keys that should follow, by the clock alone.
 *
 * <p>The ring may be used by any thread; keys are off-heap and wiped after their end.
 */
@NullMarked
package dev.sluice.tls.ticket;

import org.jspecify.annotations.NullMarked;
