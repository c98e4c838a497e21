/** Rounds in balanced order, statistics, the result log and the report. Knows nothing of what is measured. */
@NullMarked
package dev.sluice.bench.harness;

import org.jspecify.annotations.NullMarked;
