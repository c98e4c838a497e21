/** Rounds in balanced order, statistics, the result log and the report. Independent of the measured subject. */
@NullMarked
package dev.sluice.bench.harness;

import org.jspecify.annotations.NullMarked;
