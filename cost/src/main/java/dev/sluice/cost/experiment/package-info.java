/** The four regimes that a well-known article measures, run here. */
@NullMarked
package dev.sluice.cost.experiment;

import org.jspecify.annotations.NullMarked;
