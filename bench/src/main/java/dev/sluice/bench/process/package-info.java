/**
 * Child processes of a benchmark, their placement on cores, and the kernel's accounting of CPU time and memory.
 *
 * <p>{@link dev.sluice.bench.process.Site} is the environment of a comparison: directory, certificate, cores and
 * OpenSSL. {@link dev.sluice.bench.process.ManagedProcess} owns a child process, which a shutdown hook ends at the
 * latest; {@link dev.sluice.bench.process.AskedProcess} is one that answers commands by lines. {@link
 * dev.sluice.bench.process.Usage} sums what the kernel accounted for processes.
 *
 * <p>Calls may block on processes and on files under /proc. Whoever starts a process closes it.
 */
@NullMarked
package dev.sluice.bench.process;

import org.jspecify.annotations.NullMarked;
