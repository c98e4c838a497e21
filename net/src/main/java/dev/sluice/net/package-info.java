/**
 * Event loops and what runs on them: listeners, timers, TCP and TLS connections.
 *
 * <p>Start a loop with {@link dev.sluice.net.loop.EventLoops#start}; {@link dev.sluice.net.EventLoop} listens and
 * connects, and a {@link dev.sluice.net.ConnectionHandler} receives what happens on each {@link
 * dev.sluice.net.Connection}. {@link dev.sluice.net.TlsConnection} adds TLS.
 *
 * <p>A loop is one thread. Everything that belongs to a connection is confined to it; other threads call
 * {@link dev.sluice.net.EventLoop#execute}.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.net;
