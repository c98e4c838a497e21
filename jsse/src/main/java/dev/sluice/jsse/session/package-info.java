/**
 * Sessions as applications see them, and the caches that {@code SSLSessionContext} shows.
 *
 * <p>A client's cache also owns what libssl needs to resume a session; a server's sessions are in the tickets of its
 * clients, and its cache only lists them.
 *
 * <p>{@link dev.sluice.jsse.session.SluiceSession} is what {@code getSession} returns; {@link
 * dev.sluice.jsse.session.SessionCache} has its limit and timeout; {@link dev.sluice.jsse.session.ResumptionKey} says
 * which connections may resume a session: those to the same peer with the same settings.
 */
@NullMarked
package dev.sluice.jsse.session;

import org.jspecify.annotations.NullMarked;
