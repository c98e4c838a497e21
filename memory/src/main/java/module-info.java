/** Off-heap ownership: slabs, slab pools, and the ledger that accounts every native byte to an owner. */
module dev.sluice.memory {
    requires static transitive org.jspecify;

    exports dev.sluice.memory;
}
