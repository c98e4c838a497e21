/**
 * A comparison of plain TCP echo servers: CPU time and rate by number of connections and message size.
 *
 * <p>{@link dev.sluice.bench.echo.EchoBenchmark} runs the comparison and prints it. {@link
 * dev.sluice.bench.echo.EchoFleet} owns the server processes, all on one core, and the load process on another; {@link
 * dev.sluice.bench.echo.EchoReport} makes the tables.
 *
 * <p>A run blocks its caller. Servers keep running through all experiments and end with the fleet.
 *
 * <pre>
 * EchoBenchmark ──▶ EchoFleet ──▶ server processes (bench.echo.server)
 *                             └─▶ load process     (bench.echo.load)
 * </pre>
 */
@NullMarked
package dev.sluice.bench.echo;

import org.jspecify.annotations.NullMarked;
