/** The side-by-side benchmark harness and the benchmarks that join it. */
module dev.sluice.bench {
    requires dev.sluice.gateway;
    requires dev.sluice.net;
    requires static transitive org.jspecify;
}
