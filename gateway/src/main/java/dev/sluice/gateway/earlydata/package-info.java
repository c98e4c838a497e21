/**
 * Early data (0-RTT): the decision what may reach the backend before the client's Finished, and the memory of what
 * waits.
 *
 * <p>{@link dev.sluice.gateway.earlydata.EarlyDataPolicies} is the entry, with one policy per mode. {@link
 * dev.sluice.gateway.earlydata.ReplayCheck} detects replayed early data: {@link
 * dev.sluice.gateway.earlydata.StrikeRegister} for one node, {@link dev.sluice.gateway.earlydata.SharedReplayCheck} for
 * a fleet. {@link dev.sluice.gateway.earlydata.SafeRequest} recognizes requests that may be served early; {@link
 * dev.sluice.gateway.earlydata.HeldBytes} keeps what waits.
 *
 * <p>Policies and checks may be used from any loop, inside handshakes, and do not wait for I/O. Held bytes are native
 * memory, confined to one thread. A doubtful case is never {@code ReplayVerdict.FRESH}.
 */
@NullMarked
package dev.sluice.gateway.earlydata;

import org.jspecify.annotations.NullMarked;
