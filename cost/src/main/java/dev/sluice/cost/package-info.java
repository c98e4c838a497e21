/** The six phases of what TLS costs, measured on this machine, and the model that foresees what a load takes. */
@NullMarked
package dev.sluice.cost;

import org.jspecify.annotations.NullMarked;
