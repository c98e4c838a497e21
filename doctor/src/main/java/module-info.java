/** Audits of TLS endpoints and of this machine. */
module dev.sluice.doctor {
    requires dev.sluice.config;
    requires transitive dev.sluice.cost;
    requires transitive dev.sluice.net;
    requires static transitive org.jspecify;

    exports dev.sluice.doctor;
    exports dev.sluice.doctor.audit;
    exports dev.sluice.doctor.finding;
    exports dev.sluice.doctor.probe;
    exports dev.sluice.doctor.wire;
}
