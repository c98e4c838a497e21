/** Ownership of off-heap memory: slabs, slab pools, and the ledger that accounts every native byte to an owner. */
@SuppressWarnings("module") // The modules named here are above this one.
module dev.sluice.memory {
    requires static transitive org.jspecify;

    exports dev.sluice.memory;
    exports dev.sluice.memory.fault to
            dev.sluice.ffi,
            dev.sluice.gateway,
            dev.sluice.net,
            dev.sluice.tls,
            dev.sluice.transfer;
}
