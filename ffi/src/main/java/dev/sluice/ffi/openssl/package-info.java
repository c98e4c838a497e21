/**
 * The bindings to OpenSSL 3.0 or later, found at run time: typed owners, callbacks, and errors with their queue.
 *
 * <p>{@link dev.sluice.ffi.openssl.SslCtx} holds the shared settings of connections and {@link
 * dev.sluice.ffi.openssl.Ssl} is one connection; {@link dev.sluice.ffi.openssl.BioPair} carries its bytes. The {@code
 * Evp} classes are ciphers, keys and derivations. {@link dev.sluice.ffi.openssl.OpenSslException} carries the thread's
 * whole error queue.
 *
 * <p>The typed owners extend {@link dev.sluice.ffi.openssl.NativeHandle}, except the pair: an object has a single
 * owner, is charged to the ledger, and is freed once. A handle is confined to one thread at a time; a configured
 * context may be shared.
 *
 * <p>libssl calls back on the thread that called it, inside that call.
 */
@NullMarked
package dev.sluice.ffi.openssl;

import org.jspecify.annotations.NullMarked;
