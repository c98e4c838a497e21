/**
 * The events of Java Flight Recorder: handshakes, failures, refusals, detaches, reloads, key rotations, slow turns.
 *
 * <p>{@link dev.sluice.gateway.flight.Flight} is the entry: it returns the events while a recording runs, and null
 * otherwise. {@link dev.sluice.gateway.flight.FlightEvents} makes an event where its kind is recorded. No event class
 * is loaded before a recording starts.
 *
 * <p>Both may be used from any thread; a watcher of turns is confined to the thread of its loop. Nothing is allocated
 * for a kind that is not recorded.
 */
@NullMarked
package dev.sluice.gateway.flight;

import org.jspecify.annotations.NullMarked;
