/**
 * TLS contexts: builders, server-name selection, ALPN, and the policy of early data.
 *
 * <p>{@link dev.sluice.tls.context.TlsContext#server()} and {@link dev.sluice.tls.context.TlsContext#client()} are the
 * entries. {@link dev.sluice.tls.context.ServerNameSelector} chooses among the contexts of one port in the ClientHello
 * callback, by maps that never change.
 *
 * <p>A context is immutable once built, may be shared by all engines of a loop, and is freed with its last holder.
 */
@NullMarked
package dev.sluice.tls.context;

import org.jspecify.annotations.NullMarked;
