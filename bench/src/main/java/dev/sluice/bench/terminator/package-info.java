/**
 * The benchmarks of TLS terminators: the servers, the phases, and the comparison.
 *
 * <p>{@link dev.sluice.bench.terminator.TerminatorBenchmark} compares the servers of {@link
 * dev.sluice.bench.terminator.Peer} over the phases of {@link dev.sluice.bench.terminator.Phase}. Further benchmarks
 * cover one subject each, such as {@link dev.sluice.bench.terminator.HandshakesBenchmark}, {@link
 * dev.sluice.bench.terminator.StormBenchmark} and {@link dev.sluice.bench.terminator.HostileBenchmark}. A {@link
 * dev.sluice.bench.terminator.Terminator} is a server in front of the load generator's backend.
 *
 * <p>A run blocks its caller. Servers are processes that their benchmark owns and closes; most keep running through all
 * phases.
 *
 * <pre>
 * load generator ── TLS ──▶ Terminator ── plain ──▶ backend
 * </pre>
 */
@NullMarked
package dev.sluice.bench.terminator;

import org.jspecify.annotations.NullMarked;
