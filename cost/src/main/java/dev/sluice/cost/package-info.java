/** The six phases of TLS costs, measured on this machine, and the model that predicts the cost of a load. */
@NullMarked
package dev.sluice.cost;

import org.jspecify.annotations.NullMarked;
