/**
 * Layouts of counters outside the Java heap: rows of counters by labels, and histograms of durations.
 *
 * <p>One thread writes each region, with opaque stores and without locks; any thread reads. Nothing is allocated but by
 * the first count of a row.
 */
@NullMarked
package dev.sluice.gateway.counters;

import org.jspecify.annotations.NullMarked;
