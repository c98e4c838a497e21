/** The load generator, in its own process, and its scenarios. */
@NullMarked
package dev.sluice.bench.load;

import org.jspecify.annotations.NullMarked;
