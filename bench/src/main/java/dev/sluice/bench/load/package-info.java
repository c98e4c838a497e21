/** The load generator, a process of its own, and the scenarios it plays. */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
