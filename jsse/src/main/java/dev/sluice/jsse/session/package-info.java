/**
 * Sessions as applications see them, and the caches that {@code SSLSessionContext} shows.
 *
 * <p>A client's cache also owns what libssl needs to resume a session; a server's sessions are in the tickets of its
 * clients, and its cache only lists them.
 */
@NullMarked
package dev.sluice.jsse.session;

import org.jspecify.annotations.NullMarked;
