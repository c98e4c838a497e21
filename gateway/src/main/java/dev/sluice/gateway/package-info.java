/**
 * The TLS terminator: a running gateway, composed of the parts in the packages below.
 *
 * <p>{@link dev.sluice.gateway.Gateway} is the entry: it terminates TLS on its listeners and relays the plaintext to
 * backends. Start, reload and drain are its methods. {@link dev.sluice.gateway.Administration} presents it to the admin
 * endpoint.
 *
 * <p>A gateway may be used from any thread. Its event loops share nothing on the data path; each connection belongs to
 * one loop. Whoever starts a gateway closes it.
 */
@NullMarked
package dev.sluice.gateway;

import org.jspecify.annotations.NullMarked;
