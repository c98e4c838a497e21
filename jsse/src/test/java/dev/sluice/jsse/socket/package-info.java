/**
 * The conformance suite of TLS sockets.
 *
 * <p>The same tests run on SunJSSE's own sockets, which show what applications expect, and on Sluice's. Differences
 * that are intended:
 *
 * <ul>
 *   <li>Managers of keys and trust are called with the engine, not with the socket, since the engine asks them.
 *   <li>A close does not wait for a blocked writer for ever: it waits for SO_LINGER, or for a second without it.
 *   <li>A close during a server's handshake ends {@code startHandshake} with an exception; SunJSSE returns normally.
 *   <li>A trust manager may call {@code startHandshake} and {@code getSession} of the socket that asks it.
 *   <li>Sluice's engine refuses a renegotiation of TLS 1.2; the connection stays usable.
 *   <li>A server of Sluice that receives an alert before any ClientHello reports {@code SSLProtocolException}: OpenSSL
 *       expects a ClientHello.
 *   <li>{@code isInputShutdown} is false after a close, as SunJSSE's is under TLS 1.2 and not under TLS 1.3.
 * </ul>
 */
@NullMarked
package dev.sluice.jsse.socket;

import org.jspecify.annotations.NullMarked;
