/**
 * The soak test: a gateway without garbage collection, whose memory would grow with any allocation per message.
 *
 * <p>{@link dev.sluice.bench.soak.SoakBenchmark} carries data through the gateway in phases ({@link
 * dev.sluice.bench.soak.SoakPhase}) and samples its memory; {@link dev.sluice.bench.soak.SoakVerdict} decides whether
 * memory stayed flat. {@link dev.sluice.bench.soak.SoakGateway} is the entry of the gateway's process.
 *
 * <p>A run blocks its caller. The gateway reports its heap between the steps of a phase only, so that no request
 * disturbs the load.
 */
@NullMarked
package dev.sluice.bench.soak;

import org.jspecify.annotations.NullMarked;
