/**
 * A kernel in memory for tests: sockets, epoll and io_uring driven by a seed, with the peers of the sockets.
 *
 * <p>{@link dev.sluice.simulator.SimulatedKernel} is the entry: the system under test calls it instead of the running
 * kernel. {@link dev.sluice.simulator.Peer} is an actor at the other end of sockets, and {@link
 * dev.sluice.simulator.ScriptedPeer} checks every event. {@link dev.sluice.simulator.Faults} sets the rates of rare
 * events. {@link dev.sluice.simulator.Seeds} runs a simulation over many seeds and names the failing one.
 *
 * <p>Everything runs on one thread. Time advances only while the system under test waits, so that a seed repeats its
 * run exactly.
 *
 * <pre>
 * system under test ── calls ──▶ SimulatedKernel ── Pipe ──▶ Peer
 * </pre>
 */
@NullMarked
package dev.sluice.simulator;

import org.jspecify.annotations.NullMarked;
