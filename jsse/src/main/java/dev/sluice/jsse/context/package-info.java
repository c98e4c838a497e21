/**
 * The parts that the engines of one {@code SSLContext} share: the managers of the platform, native contexts by their
 * settings, native copies of private keys, and the session caches.
 *
 * <p>Start reading at {@link dev.sluice.jsse.context.ContextState}. The collector decides when an {@code SSLContext} is
 * over, since it has no close; {@link dev.sluice.jsse.context.Reclaimer} then frees what it held.
 *
 * <p>{@link dev.sluice.jsse.context.KeyBridge} and {@link dev.sluice.jsse.context.TrustBridge} ask the managers of the
 * platform; {@link dev.sluice.jsse.context.NativeContexts} keeps an {@code SSL_CTX} for each set of settings.
 */
@NullMarked
package dev.sluice.jsse.context;

import org.jspecify.annotations.NullMarked;
