/**
 * The parts that the engines of one {@code SSLContext} share: the managers of the platform, native contexts by their
 * settings, native copies of private keys, and the session caches.
 *
 * <p>Start reading at {@link dev.sluice.jsse.context.ContextState}. The collector decides when an {@code SSLContext} is
 * over, since it has no close; {@link dev.sluice.jsse.context.Reclaimer} then frees what it held.
 */
@NullMarked
package dev.sluice.jsse.context;

import org.jspecify.annotations.NullMarked;
