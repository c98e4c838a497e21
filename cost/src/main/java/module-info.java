/** The costs of TLS on this machine, the capacity model, and the audit of endpoints. */
module dev.sluice.cost {
    requires transitive dev.sluice.net;
    requires info.picocli;
    requires java.management;
    requires java.net.http;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports dev.sluice.cost;
    exports dev.sluice.cost.doctor;
    exports dev.sluice.cost.measure;
    exports dev.sluice.cost.plan;

    opens dev.sluice.cost to
            info.picocli;
    opens dev.sluice.cost.doctor to
            info.picocli;
}
