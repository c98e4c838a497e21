/** The capacity model: the resources of a load, and the effect of single configuration changes. */
@NullMarked
package dev.sluice.cost.plan;

import org.jspecify.annotations.NullMarked;
