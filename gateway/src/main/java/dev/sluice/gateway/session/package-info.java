/**
 * Sessions: the phases of a client connection from accept to relay, and the loop and listeners they run on.
 *
 * <pre>
 *   accept ─▶ PROXY header ─▶ hello ─▶ handshake ─▶ connect ─▶ relay ─▶ closing
 * </pre>
 *
 * <p>{@link dev.sluice.gateway.session.Session} holds the current phase and decides the end; each phase names its
 * successor. {@link dev.sluice.gateway.session.GatewayLoop} composes what runs on one event loop. Confined to the
 * loop's thread.
 */
@NullMarked
package dev.sluice.gateway.session;

import org.jspecify.annotations.NullMarked;
