/**
 * The factory of event loops.
 *
 * <p>{@link dev.sluice.net.loop.EventLoops#start} starts a loop, whose thread and backend are ready when it returns. The
 * factory is apart from the interfaces in {@code dev.sluice.net}, so that these know nothing of their implementation.
 *
 * <p>May be called from any thread; the caller closes the loop.
 */
@NullMarked
package dev.sluice.net.loop;

import org.jspecify.annotations.NullMarked;
