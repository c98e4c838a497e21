/**
 * The commands {@code gateway} and {@code check}: how a gateway is started, reloaded, replaced and ended.
 *
 * <p>{@link dev.sluice.cli.gateway.GatewayRun} runs one gateway from its configuration to its end;
 * {@link dev.sluice.cli.gateway.Reloads} watches files and signals on a thread of its own and reloads;
 * {@link dev.sluice.cli.gateway.WarmUp} records the AOT cache when Sluice is built.
 */
@NullMarked
package dev.sluice.cli.gateway;

import org.jspecify.annotations.NullMarked;
