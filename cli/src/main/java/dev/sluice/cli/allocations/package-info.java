/**
 * The command {@code allocations}: the call paths that allocate native memory in a running JVM.
 *
 * <p>{@link dev.sluice.cli.allocations.AllocationsCommand} attaches to the process and loads the classes of {@link
 * dev.sluice.cli.allocations.AgentJar} there. {@link dev.sluice.cli.allocations.AllocationRecorder} adds a call to the
 * JDK's methods that {@link dev.sluice.cli.allocations.AllocationSource} lists, records an event with its stack trace
 * for a share of the calls, and removes the calls again. {@link dev.sluice.cli.allocations.AllocationPaths} sums the
 * events up by path.
 *
 * <pre>
 * sluice allocations ── attach ──▶ agent in the JVM ── recording (a file) ──▶ paths, printed
 * </pre>
 *
 * <p>A command runs on the main thread and blocks until the recording has ended.
 */
@NullMarked
package dev.sluice.cli.allocations;

import org.jspecify.annotations.NullMarked;
