/** The four regimes of a well-known article, run here. */
@NullMarked
package dev.sluice.cost.experiment;

import org.jspecify.annotations.NullMarked;
