/**
 * The servers under test, each in a process of its own.
 *
 * <p>{@link dev.sluice.bench.jsse.server.ServerMain} is the entry of the process, and {@link
 * dev.sluice.bench.jsse.server.ServerKind} names the servers. They run on the class path, beside the libraries that are
 * compared, and the provider of JSSE is a parameter: the code around it is the same for all.
 *
 * <p>A server is started and closed by the thread of its process; each serves on threads of its own.
 */
@NullMarked
package dev.sluice.bench.jsse.server;

import org.jspecify.annotations.NullMarked;
