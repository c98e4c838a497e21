/**
 * The gateway's log: its interface, the limits of repeated lines, and its targets.
 *
 * <p>{@link dev.sluice.gateway.log.GatewayLog} is implemented by the caller, or by
 * {@link dev.sluice.gateway.log.ProcessLog}, whose {@link dev.sluice.gateway.log.LogLineWriter} passes lines to
 * standard error, syslog or the journal on a thread of its own;
 * {@link dev.sluice.gateway.log.FailureLog} and {@link dev.sluice.gateway.log.UncaughtLog} pass on a few lines of each
 * kind in ten seconds, then the number of those left out.
 *
 * <p>A log may be called from any thread; the limiters are confined to one loop.
 */
@NullMarked
package dev.sluice.gateway.log;

import org.jspecify.annotations.NullMarked;
