/**
 * Connections of an audit to its target, each bounded in time and bytes.
 *
 * <p>{@link dev.sluice.doctor.probe.TlsProbe} completes a handshake with libssl and records it in a
 * {@link dev.sluice.doctor.probe.HandshakeTranscript}; {@link dev.sluice.doctor.probe.RawProbe} sends messages of our
 * own and reads the answer. {@link dev.sluice.doctor.probe.Dialer} opens their sockets, and {@link
 * dev.sluice.doctor.probe.DoctorLimits} bounds them all.
 *
 * <p>Blocking I/O; a probe is confined to one thread.
 */
@NullMarked
package dev.sluice.doctor.probe;

import org.jspecify.annotations.NullMarked;
