/**
 * The commands {@code gateway} and {@code check}, and the life of a gateway process: start, reload, hot restart and
 * drain.
 *
 * <p>{@link dev.sluice.cli.gateway.GatewayRun} runs one gateway from its configuration to its end. {@link
 * dev.sluice.cli.gateway.Reloads} watches files and signals and reloads; {@link dev.sluice.cli.gateway.Succession}
 * provides inherited listening sockets; {@link dev.sluice.cli.gateway.Drain} ends the gateway. {@link
 * dev.sluice.cli.gateway.WarmUp} is the workload from which the launcher records the AOT cache.
 *
 * <p>The command runs on the main thread. Reloads have a thread of their own. The log has its own, too;
 * {@link dev.sluice.cli.gateway.ServiceManager} may be used from any thread.
 */
@NullMarked
package dev.sluice.cli.gateway;

import org.jspecify.annotations.NullMarked;
