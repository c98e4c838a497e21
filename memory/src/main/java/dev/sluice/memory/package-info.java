/** Ownership of off-heap memory: slabs, slab pools and the ledger of native bytes. */
@NullMarked
package dev.sluice.memory;

import org.jspecify.annotations.NullMarked;
