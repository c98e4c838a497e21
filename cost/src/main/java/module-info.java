/** The cost of TLS on this machine: its measurement, and the capacity model made from it. */
module dev.sluice.cost {
    requires dev.sluice.config;
    requires transitive dev.sluice.net;
    requires java.management;
    requires static transitive org.jspecify;

    exports dev.sluice.cost.figures;
    exports dev.sluice.cost.measure;
    exports dev.sluice.cost.plan;
    exports dev.sluice.cost.report;
}
