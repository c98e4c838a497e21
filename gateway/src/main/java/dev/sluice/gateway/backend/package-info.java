/**
 * The servers of backends: addresses, health checks, load balancing, and the connections to them.
 *
 * <p>{@link dev.sluice.gateway.backend.Backends} holds what the loops share; {@link
 * dev.sluice.gateway.backend.BackendTarget} is the shared part of one backend, with {@link
 * dev.sluice.gateway.backend.BackendHealth}. {@link dev.sluice.gateway.backend.BackendPool} is one loop's view: it
 * chooses a server, and {@link dev.sluice.gateway.backend.BackendConnector} connects and retries.
 *
 * <p>Shared classes are thread-safe, and loops choose by the immutable snapshot {@link
 * dev.sluice.gateway.backend.Standing}. Pools, connectors and health checks are confined to their loop. DNS lookups
 * block, so they have threads of their own.
 *
 * <pre>
 * Backends ──▶ BackendTarget (shared) ──▶ BackendPool (loop) ──▶ BackendConnector ──▶ server
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.backend;

import org.jspecify.annotations.NullMarked;
