/** Off-heap ownership: who holds which native bytes, and for how long. */
@NullMarked
package dev.sluice.memory;

import org.jspecify.annotations.NullMarked;
