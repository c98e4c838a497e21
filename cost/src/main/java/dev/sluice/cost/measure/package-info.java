/** How costs are measured: probes, each of one thing, in interleaved rounds. */
@NullMarked
package dev.sluice.cost.measure;

import org.jspecify.annotations.NullMarked;
