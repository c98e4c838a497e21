/**
 * The outcomes of sessions and handshakes, and the counters of a loop.
 *
 * <p>{@link dev.sluice.gateway.outcome.SessionEnd} is the reason for which a session ended, with the side it came from.
 * {@link dev.sluice.gateway.outcome.HandshakeFacts} are the properties of one complete handshake. {@link
 * dev.sluice.gateway.outcome.LoopCounters} counts by the catalogue of metrics, in one region outside the Java heap;
 * {@link dev.sluice.gateway.outcome.CounterTable} and {@link dev.sluice.gateway.outcome.TimeHistogram} are parts of it.
 *
 * <p>One loop writes its counters without locks; any thread reads them. Outcomes are immutable.
 */
@NullMarked
package dev.sluice.gateway.outcome;

import org.jspecify.annotations.NullMarked;
