/**
 * Admission: the decision whether a connection is accepted, and whether its handshake may start now.
 *
 * <p>{@link dev.sluice.gateway.admission.Admission} holds the limits of all loops together;
 * {@link dev.sluice.gateway.admission.HandshakeGate} queues the pending handshakes of one loop, those that most likely
 * resume before full ones, which keep a guaranteed share.
 *
 * <p>A gate is confined to its loop; Admission may be used by all loops.
 */
@NullMarked
package dev.sluice.gateway.admission;

import org.jspecify.annotations.NullMarked;
