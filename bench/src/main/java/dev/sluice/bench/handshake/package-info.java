/**
 * The CPU time of a TLS handshake in libssl alone, without sockets or a gateway.
 *
 * <p>{@link dev.sluice.bench.handshake.LibraryMain} is the entry of a process that makes handshakes in memory: full and
 * resumed, by version and certificate. It reports the CPU time of the server's side, from the creation of its {@code
 * SSL} to its end.
 *
 * <p>The process reads commands from standard input and answers each with one line. All handshakes run on its main
 * thread, which owns the native memory.
 */
@NullMarked
package dev.sluice.bench.handshake;

import org.jspecify.annotations.NullMarked;
