/** The measurement: probes, each of one quantity, in interleaved rounds. */
@NullMarked
package dev.sluice.cost.measure;

import org.jspecify.annotations.NullMarked;
