/**
 * The load on the echo servers, in a process of its own.
 *
 * <p>{@link dev.sluice.bench.echo.load.EchoLoadMain} is the entry: it answers each input line with one line and exits
 * at the end of its input. {@link dev.sluice.bench.echo.load.EchoLoad} keeps one message in flight on each connection
 * and compares every returned byte with the one sent.
 *
 * <p>Connections ({@link dev.sluice.bench.echo.load.EchoCaller}) are confined to the thread of one event loop. The
 * public methods of the load are called by one other thread.
 */
@NullMarked
package dev.sluice.bench.echo.load;

import org.jspecify.annotations.NullMarked;
