/**
 * Resting connections: many TLS connections through a server to a backend, without traffic.
 *
 * <p>{@link dev.sluice.bench.idle.IdleBenchmark} is the comparison. {@link dev.sluice.bench.idle.CrowdMain} is the
 * entry of the load's processes, each with clients and a backend: after a connection's first message a client keeps its
 * descriptor alone, and the backend has no state per connection, so that memory is left for the servers.
 *
 * <p>A server that lacks descriptors for all connections runs several times, see {@link
 * dev.sluice.bench.idle.RestingServer#connectionsMax}.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.bench.idle;
