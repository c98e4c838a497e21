/** The gateway under a collector that never collects, until its memory would have to grow if anything did. */
@NullMarked
package dev.sluice.bench.soak;

import org.jspecify.annotations.NullMarked;
