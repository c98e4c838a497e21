/**
 * The admin socket and its commands.
 *
 * <p>{@link dev.sluice.gateway.control.AdminSocket} accepts lines on a Unix socket and answers each by an
 * {@link dev.sluice.gateway.control.AdminCommands} entry: reload, drain, certificates, tickets.
 * {@link dev.sluice.gateway.control.AdminProbe} protects the socket of a running gateway from a second start.
 *
 * <p>Blocking I/O on threads of its own.
 */
@NullMarked
package dev.sluice.gateway.control;

import org.jspecify.annotations.NullMarked;
