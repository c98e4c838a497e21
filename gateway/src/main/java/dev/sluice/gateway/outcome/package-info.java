/**
 * Outcomes: how sessions and handshakes ended, and the counters of a loop.
 *
 * <p>{@link dev.sluice.gateway.outcome.SessionEnd} is the reason for which a session ended, with the side it came from;
 * {@link dev.sluice.gateway.outcome.LoopCounters} counts by the catalogue of metrics, outside the Java heap.
 *
 * <p>One loop writes its counters, with opaque stores and without locks; any thread reads them.
 */
@NullMarked
package dev.sluice.gateway.outcome;

import org.jspecify.annotations.NullMarked;
