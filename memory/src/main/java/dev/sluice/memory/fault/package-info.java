/** Faults that tests inject. For Sluice's own modules. */
@NullMarked
package dev.sluice.memory.fault;

import org.jspecify.annotations.NullMarked;
