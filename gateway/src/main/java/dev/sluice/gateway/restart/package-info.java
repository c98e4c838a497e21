/**
 * The hot restart: listening sockets inherited from a service manager, or from the gateway that this one replaces.
 *
 * <p>{@link dev.sluice.gateway.restart.Takeover} receives the sockets of a running gateway over its admin socket and
 * asks it to drain. {@link dev.sluice.gateway.restart.PassedSockets} is the transfer itself. {@link
 * dev.sluice.gateway.restart.InheritedSockets} hands the sockets to the listeners and closes those that nobody takes.
 *
 * <p>All of it runs on the control path, and each object is for one thread. I/O blocks.
 *
 * <pre>
 * old gateway ── PassedSockets ──▶ Takeover ──▶ InheritedSockets ──▶ listeners
 * </pre>
 */
@NullMarked
package dev.sluice.gateway.restart;

import org.jspecify.annotations.NullMarked;
