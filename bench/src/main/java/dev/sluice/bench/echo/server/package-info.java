/**
 * The echo servers under comparison, each in a process of its own.
 *
 * <p>{@link dev.sluice.bench.echo.server.EchoServerMain} is the entry of such a process; {@link
 * dev.sluice.bench.echo.server.EchoKind} lists the servers. {@link dev.sluice.bench.echo.server.SluiceEcho}, {@link
 * dev.sluice.bench.echo.server.NettyEcho} and {@link dev.sluice.bench.echo.server.SelectorEcho} are the implementations
 * in the JVM, behind {@link dev.sluice.bench.echo.server.RunningEcho}.
 *
 * <p>Each server runs on one thread, which owns its buffers and connections. The process exits at the end of its input,
 * so that it never outlives its parent.
 */
@NullMarked
package dev.sluice.bench.echo.server;

import org.jspecify.annotations.NullMarked;
