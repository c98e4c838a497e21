/**
 * The gateway's log: its interface, and the limits of repeated lines.
 *
 * <p>{@link dev.sluice.gateway.log.GatewayLog} is implemented by the caller;
 * {@link dev.sluice.gateway.log.FailureLog} and {@link dev.sluice.gateway.log.UncaughtLog} pass on a few lines of each
 * kind in ten seconds, then the number of those left out.
 *
 * <p>A log may be called from any thread; the limiters are confined to one loop.
 */
@NullMarked
package dev.sluice.gateway.log;

import org.jspecify.annotations.NullMarked;
