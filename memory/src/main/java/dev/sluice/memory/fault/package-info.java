/** Fault injection for tests of Sluice's own modules. */
@NullMarked
package dev.sluice.memory.fault;

import org.jspecify.annotations.NullMarked;
