/**
 * The conformance suite of TLS sockets.
 *
 * <p>The same tests run on SunJSSE's own sockets, which show what applications expect, and on Sluice's. {@code
 * SocketDifference} lists where the two differ on purpose, with the reason; each entry is asserted.
 */
@NullMarked
package dev.sluice.jsse.socket;

import org.jspecify.annotations.NullMarked;
