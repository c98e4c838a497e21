/** The model of capacity: what a load takes, and what one lever at a time would change. */
@NullMarked
package dev.sluice.cost.plan;

import org.jspecify.annotations.NullMarked;
