/** The gateway without garbage collection: any allocation would make its memory grow. */
@NullMarked
package dev.sluice.bench.soak;

import org.jspecify.annotations.NullMarked;
