/**
 * The factory of event loops, apart from the interfaces in {@code dev.sluice.net}, which know nothing of their
 * implementation.
 *
 * <p>{@link dev.sluice.net.loop.EventLoops} is the entry. {@link dev.sluice.net.loop.EventLoops#start} starts a loop on
 * the epoll or the io_uring transport; its thread and transport are ready when the method returns.
 *
 * <p>The factory may be called from any thread. The caller owns the loop and closes it; everything on the loop is
 * confined to the loop's thread.
 */
@NullMarked
package dev.sluice.net.loop;

import org.jspecify.annotations.NullMarked;
