/**
 * The sources of session-ticket keys, and the thread that keeps the gateway's key ring current.
 *
 * <p>{@link dev.sluice.gateway.tickets.TicketKeys} is the entry: it owns the ring and its source. A {@link
 * dev.sluice.gateway.tickets.TicketKeySource} is one of {@link dev.sluice.gateway.tickets.LocalKeys}, {@link
 * dev.sluice.gateway.tickets.DirectoryKeys} and {@link dev.sluice.gateway.tickets.SharedKeys}, the last through a
 * {@link dev.sluice.gateway.tickets.DocumentStore} such as Redis. {@link dev.sluice.gateway.tickets.FleetKey} seals the
 * keys that leave the process. {@link dev.sluice.gateway.tickets.RedisReplayCheck} shares the replay check of early
 * data.
 *
 * <p>Sources may block and are called by one thread at a time, never on an event loop. The ring may be read by any
 * thread. Secrets are in native memory and wiped at close.
 */
@NullMarked
package dev.sluice.gateway.tickets;

import org.jspecify.annotations.NullMarked;
