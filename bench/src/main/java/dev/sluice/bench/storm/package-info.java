/**
 * The load of handshake storms: clients that arrive at a fixed rate, and established connections beside them.
 *
 * <p>{@link dev.sluice.bench.storm.StormMain} is the entry of the process. {@link dev.sluice.bench.storm.Storm} sends
 * the arriving clients, some of which resume a session; {@link dev.sluice.bench.storm.Established} exchanges small
 * messages and measures their latency.
 *
 * <p>Clients run on one event loop and are confined to its thread. {@link dev.sluice.bench.storm.StormTally} counts
 * their outcomes and is read when the storm is over. The process exits at the end of its input.
 */
@NullMarked
package dev.sluice.bench.storm;

import org.jspecify.annotations.NullMarked;
